-- The best pair of each signal is kept, however unlikely, so that people can ask for it.

alter table proposal_bars add column asked_to real not null default 1;
comment on column proposal_bars.asked_to is
  'A stored chance: people asked for pairs above it, however unlikely the workspace''s decisions make them. 1 until they ask.';
