-- Matches of the newest course of each board's journal.
create or replace view newest_matches as
    select m.* from matches m where not exists (
        select from matches l where l.board = m.board and l.match = m.match and l.life > m.life
    );

-- Of those each match once: neither has a board of another name all of it and more, nor had the same before. A board that gets another
-- name sends all of its journal again, and may go on with the match, or put it right; so the last event of what is less is in both.
create or replace view matches_once as
    select m.* from newest_matches m where not exists (
        select from newest_matches n where n.match = m.match and n.board <> m.board and n.made_of > 0
            and (select checksum from events where board = n.board and life = n.life and sequence = m.last)
                = (select checksum from events where board = m.board and life = m.life and sequence = m.last)
            and (n.last, (select begun from lives where board = m.board and life = m.life), m.board)
                > (m.last, (select begun from lives where board = n.board and life = n.life), n.board)
    );
