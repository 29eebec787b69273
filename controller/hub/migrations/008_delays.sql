-- How much later than its boards the world sees a tournament, in seconds and turns; null: as the hub's settings say.
alter table tournaments
    add column delay_s real check (delay_s between 0 and 900),
    add column delay_turns integer check (delay_turns between 0 and 50),
    add check ((delay_s is null) = (delay_turns is null));
