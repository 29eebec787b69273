-- The boards' journals, as they came. Rows are only ever added.

create table boards (
    name text primary key,
    added timestamptz not null default now()
);

-- One course of a board's journal. A journal that was replaced, or restored from a backup, begins another: what the earlier one
-- had stays as it is. run: the start of the board's program that was heard last.
create table lives (
    board text not null references boards (name),
    life integer not null,
    run text not null,
    begun timestamptz not null default now(),
    primary key (board, life)
);

create table events (
    board text not null,
    life integer not null,
    match text not null,
    sequence bigint not null,
    journal_board text not null,
    game bigint not null,
    kind text not null,
    version integer not null,
    wall_time text not null,
    payload text not null,
    checksum bigint not null,
    arrived timestamptz not null default now(),
    primary key (board, life, match, sequence),
    foreign key (board, life) references lives (board, life)
);

-- One place for each sequence, whichever match it says it is of; and the newest is found at once.
create unique index events_in_order on events (board, life, sequence);

-- What the hub has noticed about a board: a journal that went back, a second board of one name, messages that are none.
create table notices (
    id bigserial primary key,
    at timestamptz not null default now(),
    board text not null,
    kind text not null,
    sentence text not null
);
create index notices_by_board on notices (board, id desc);
