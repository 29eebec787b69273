-- Who may use the hub's pages, and what they did. password: its hash, as werkzeug writes it.

create table people (
    name text primary key,
    role text not null check (role in ('viewer', 'scorer', 'director')),
    password text not null,
    added timestamptz not null default now()
);

create table acts (
    id bigserial primary key,
    at timestamptz not null default now(),
    who text not null,
    what text not null,
    about text not null default ''
);

alter table notices add column seen_by text, add column seen_at timestamptz;
