-- A board that a director has removed: what it has sent stays, but nobody waits for it any more.

alter table boards add column removed boolean not null default false;
