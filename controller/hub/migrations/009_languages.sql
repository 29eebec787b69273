-- In which language a phone is called; and of what a notice was made, so that everybody reads it in their own: code is its English text
-- with {places}, fields what stands in them, '' and null for those that were kept before.

alter table subscriptions add column language text not null default 'en';

alter table notices
    add column code text not null default '',
    add column fields jsonb;
