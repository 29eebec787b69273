-- Boards that may join: one code for each name. found: its SHA-256; seal: the key that is made of it (controller/record/joining.py);
-- neither lets anybody join, so that a backup lets nobody in.

create table codes (
    board text primary key,
    found text not null unique,
    seal text not null,
    made_by text not null,
    until timestamptz not null
);

-- Boards that have joined. key: by which the hub signs who may come to the board's desk.
create table members (
    board text primary key,
    key text not null,
    invited_by text not null,
    joined timestamptz not null default now()
);
