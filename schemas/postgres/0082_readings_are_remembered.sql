-- A desk's export comes in every week: its columns are read as they were read the last time.
alter table transfers add column columns_hash bigint;
comment on column transfers.columns_hash is
  'Of the names of the file''s columns, which it does not show: a file with the same ones is read in the same way. Null '
  'where the file names none, and before it is checked.';
create index transfers_by_columns on transfers (workspace_id, created_at desc)
  where columns_hash is not null and job_id is not null;
