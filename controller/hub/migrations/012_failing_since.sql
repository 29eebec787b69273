-- Since when no call of a phone has gone through; null where the last one did. A hall may be without the internet for an evening.

alter table subscriptions add column failing_since timestamptz;
