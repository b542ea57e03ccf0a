-- Retention: after how many days what a workspace has received goes by itself. See `model/retention`.

create table retention (
  workspace_id uuid primary key references workspaces (id),
  signals_days integer check (signals_days between 30 and 3650),
  keeps_evidence boolean not null default true,
  activity_days integer check (activity_days between 30 and 3650),
  dead_letters_days integer check (dead_letters_days between 14 and 3650),
  jobs_days integer check (jobs_days between 14 and 3650),
  set_by uuid not null,
  set_by_name text not null,
  set_at timestamptz not null default now()
);
comment on table retention is
  'After how many days something goes by itself; null, or no row: it stays. The job that erases does it once a day.';
comment on column retention.signals_days is 'Of signals and repeats, counted from their receipt.';
comment on column retention.keeps_evidence is 'Whether what is evidence of a Solution stays, however old it is.';
comment on column retention.activity_days is 'Of what happened beside signals. The events of a signal go with it.';
comment on column retention.dead_letters_days is 'Of dead letters, counted from their last failure.';
comment on column retention.jobs_days is 'Of jobs that ended, and of exports.';
comment on column retention.set_at is 'The first day after that goes by, and nothing goes: it can still be changed.';
select guard_by_workspace('retention');
grant select, insert, update on retention to assay_app;
grant select on retention to assay_pipeline;

alter table erasures drop constraint erasures_what_check;
alter table erasures add constraint erasures_what_check check (what in ('person', 'signal', 'source', 'age'));
grant select (what) on erasures to assay_pipeline;
