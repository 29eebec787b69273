-- Who may become somebody at the hub, or have a new password: one invitation for each name. code: its SHA-256, so that a backup lets
-- nobody in.

create table invitations (
    name text primary key,
    role text not null check (role in ('viewer', 'scorer', 'director')),
    code text not null unique,
    made_by text not null,
    until timestamptz not null
);
