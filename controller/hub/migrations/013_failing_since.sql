-- Since when no call of a phone has gone through; null where the last one did. A hall may be without the internet for an evening.

alter table subscriptions add column if not exists failing_since timestamptz;

-- For some hours of 29 November 2026 versions 10 and 11 were one view each, and 12 what 11 is now: nothing is 12 any more.
alter table boards add column if not exists removed boolean not null default false;
