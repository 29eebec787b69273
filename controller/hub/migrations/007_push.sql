-- Phones and browsers that are called by Web Push: each was put here by its owner, and goes with that person. endpoint: the address at
-- a push service that the browser has given; p256dh, auth: keys by which what is sent to it is encrypted; failed: times in a row.

create table subscriptions (
    endpoint text primary key,
    who text not null references people (name) on delete cascade,
    p256dh text not null,
    auth text not null,
    failed integer not null default 0,
    added timestamptz not null default now()
);
create index subscriptions_by_who on subscriptions (who, added);

-- The key by which push services know this hub (RFC 8292), made when it is first needed. There is one.
create table push_key (
    one boolean primary key default true check (one),
    private text not null
);
