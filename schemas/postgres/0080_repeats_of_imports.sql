-- How many signals of an import repeat others is counted while they arrive, not at each look at the imports.
alter table transfers add column repeats integer;
comment on column transfers.repeats is
  'Of the signals that arrived, how many repeat others; null for an import of an earlier version.';
