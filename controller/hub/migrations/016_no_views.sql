-- For an hour of 30 November 2026 version 15 was two views: with them no earlier dump could be restored, as pg_restore drops what the
-- dump has, and drops no table of which a view is made that it does not know.
drop view if exists matches_once;
drop view if exists newest_matches;
