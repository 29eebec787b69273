-- The same match of boards of two names: a board that gets another name sends all of its journal again.

create index if not exists matches_by_match on matches (match);
