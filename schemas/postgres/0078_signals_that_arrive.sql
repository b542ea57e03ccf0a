-- Who imported a file reads how many of its signals are through the pipeline, and themes wait for all of them. See
-- `model/transfers/arrivals.ts`.

alter table transfers
  add column brought integer not null default 0,
  add column arrived integer not null default 0,
  add column dead integer not null default 0,
  add column arrived_at timestamptz;
comment on column transfers.brought is 'Of an import of signals: how many it sent into the pipeline so far.';
comment on column transfers.arrived is 'Of these, how many are where the pipeline ends for them.';
comment on column transfers.dead is 'Of the others, how many wait as dead letters.';
comment on column transfers.arrived_at is 'When the last of them had arrived, or had died; null before.';
update transfers set arrived_at = now() where direction = 'import' and job_id is not null;
create index transfers_arriving on transfers (created_at)
  where direction = 'import' and format <> 'workspace' and job_id is not null and arrived_at is null
    and taken_back_at is null;
grant select (format, arrived_at, taken_back_at) on transfers to assay_accounts;
