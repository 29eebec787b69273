-- Every match in a line, to be listed and searched; made out of its events by archivist.py, and made anew when more have come.
-- made_of: the newest event that the line was made of, 0 while there is no line yet.

create table matches (
    board text not null,
    life integer not null,
    match text not null,
    first bigint not null,
    last bigint not null,
    touched timestamptz not null default now(),
    made_of bigint not null default 0,
    day text not null default '',
    light text not null default '',
    dark text not null default '',
    event text not null default '',
    round text not null default '',
    length integer not null default 0,
    score_light bigint not null default 0,
    score_dark bigint not null default 0,
    is_over boolean not null default false,
    problem text not null default '',
    words text not null default '',
    primary key (board, life, match),
    foreign key (board, life) references lives (board, life)
);
create index matches_by_day on matches (day desc, first desc);
create index matches_to_make on matches (touched) where made_of < last;

insert into matches (board, life, match, first, last)
    select board, life, match, min(sequence), max(sequence) from events where match <> '' group by board, life, match;

-- GNU Backgammon's verdicts, and the queue of what waits for one: rows without a verdict and a refusal, the oldest first.
create table analyses (
    board text not null,
    life integer not null,
    match text not null,
    made_of bigint not null,
    asked timestamptz not null default now(),
    verdict text,
    refusal text,
    primary key (board, life, match)
);
create index analyses_waiting on analyses (asked) where verdict is null and refusal is null;
