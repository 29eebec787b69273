-- Of a match that a board has sent again in a newer course of its journal, as after a backup was put back, that alone counts: what was
-- put right there would else stand beside what it was before.
-- What was over before the tournament was made is no result of it, whatever event it names.

create or replace view outcomes as
    select p.*, m.life, m.match, m.is_over, m.touched, m.light,
        case when m.light = p.first then m.score_light else m.score_dark end as played_first,
        case when m.light = p.first then m.score_dark else m.score_light end as played_second
    from pairings p join tournaments t on t.id = p.tournament left join lateral (
        select life, match, is_over, touched, light, score_light, score_dark from matches
        where event = t.name and matches.round = p.round::text and matches.board = p.board and matches.length = t.length
            and p.second <> '' and ((light = p.first and dark = p.second) or (light = p.second and dark = p.first))
            and made_of > 0 and matches.touched >= t.made
            and not exists (
                select from matches n where n.board = matches.board and n.match = matches.match and n.life > matches.life
                    and n.made_of > 0
            )
        order by is_over desc, matches.touched desc limit 1
    ) m on true;
