-- Tournaments: who plays, who meets whom in each round and at which board. first has light's checkers, second dark's, '' for a bye.
-- boards: those that it may use, with spaces between. A pairing's board: null until it has one, '' where it shall have none; winner:
-- '' until somebody has typed it. What a board has sent is in outcomes.

create table tournaments (
    id serial primary key,
    name text not null unique,
    format text not null check (format in ('swiss', 'round robin', 'single elimination', 'double elimination')),
    length integer not null check (length between 1 and 99),
    rules text not null,
    clock boolean not null default false,
    place text not null default '',
    rounds integer not null default 0,
    boards text not null default '',
    made timestamptz not null default now()
);

create table players (
    tournament integer not null references tournaments (id) on delete cascade,
    seed integer not null,
    name text not null,
    withdrawn boolean not null default false,
    primary key (tournament, name)
);

create table pairings (
    tournament integer not null references tournaments (id) on delete cascade,
    round integer not null,
    number integer not null,
    first text not null,
    second text not null,
    board text,
    winner text not null default '',
    points_first integer not null default 0,
    points_second integer not null default 0,
    said_by text not null default '',
    said_at timestamptz,
    primary key (tournament, round, number)
);

create index matches_of_events on matches (event, round, board) where event <> '';

-- Each pairing with the match that its board has sent for it: the one that is over, else the newest.
create view outcomes as
    select p.*, m.life, m.match, m.is_over, m.touched, m.light,
        case when m.light = p.first then m.score_light else m.score_dark end as played_first,
        case when m.light = p.first then m.score_dark else m.score_light end as played_second
    from pairings p join tournaments t on t.id = p.tournament left join lateral (
        select life, match, is_over, touched, light, score_light, score_dark from matches
        where event = t.name and matches.round = p.round::text and matches.board = p.board and matches.length = t.length
            and p.second <> '' and ((light = p.first and dark = p.second) or (light = p.second and dark = p.first))
            and made_of > 0
        order by is_over desc, matches.touched desc limit 1
    ) m on true;
