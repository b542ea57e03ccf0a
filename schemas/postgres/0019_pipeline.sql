create table dead_letters (
  signal_id uuid not null,
  step text not null,
  workspace_id uuid not null references workspaces (id),
  topic text not null,
  fault text not null check (fault in ('sender', 'ours', 'too_costly', 'transient')),
  error_class text not null,
  message text not null,
  attempts integer not null,
  first_failed_at timestamptz not null,
  last_failed_at timestamptz not null,
  trace_id text not null default '',
  sealed boolean not null,
  record bytea not null,
  state text not null default 'waiting' check (state in ('waiting', 'replayed', 'discarded')),
  next_redrive_at timestamptz,
  decision_id uuid,
  deaths integer not null default 1,
  earlier_deaths integer not null default 0,
  replay integer not null default 0,
  primary key (signal_id, step),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id)
);
comment on table dead_letters is
  'The dead letters of the log, as people and agents see them: signals that no retry helped, each at the step where '
  'it died.';
comment on column dead_letters.fault is 'Who can end what made it a dead letter.';
comment on column dead_letters.sealed is
  'Whether the record is sealed, because it died before its personal data was removed.';
comment on column dead_letters.next_redrive_at is
  'When a letter of the fault `transient` is driven again by itself; null: it waits for a person.';
comment on column dead_letters.decision_id is 'The Decision by which it was discarded.';
comment on column dead_letters.deaths is 'How often it died: above 1, a replay died again.';
comment on column dead_letters.earlier_deaths is
  'The deaths before a person last replayed it. Those since say which delay is next.';
comment on column dead_letters.replay is
  'Which replay of the signal died here, 0 before the first: the same death delivered again is not another one.';
create index dead_letters_by_workspace on dead_letters (workspace_id, state, last_failed_at desc);
create index dead_letters_waiting on dead_letters (workspace_id, signal_id, step) where state = 'waiting';
create index dead_letters_to_redrive on dead_letters (next_redrive_at)
  where state = 'waiting' and next_redrive_at is not null;
-- No export takes them along: a record may be sealed under the installation's key.
select guard_against_other_workspaces('dead_letters');
select guard_for_sandbox('dead_letters');
-- The processors look across workspaces for where letters are due, and see nothing else of them; they take them as
-- assay_pipeline.
create policy redrive on dead_letters for select to assay_accounts using (true);
grant select, update on dead_letters to assay_app;
grant select, insert, update on dead_letters to assay_pipeline;
grant select (workspace_id, state, next_redrive_at) on dead_letters to assay_accounts;

create table outbox (
  id bigint generated always as identity primary key,
  workspace_id uuid not null references workspaces (id),
  activity jsonb not null,
  created_at timestamptz not null default now()
);
comment on table outbox is
  'Activity of the query API, written with the change it tells of and relayed to the log afterwards.';
create index outbox_by_age on outbox (workspace_id, created_at);
select guard_by_workspace('outbox');
create policy relay on outbox to assay_accounts using (true);
grant insert on outbox to assay_app, assay_pipeline;
-- Whether activity of the workspace waits for the processors, which relay it.
grant select (workspace_id, created_at) on outbox to assay_app;
-- Operations about who may enter work as assay_accounts and record their activity too.
grant select, insert, delete on outbox to assay_accounts;

-- What follows is the whole installation's, and no workspace's.

create table paused_steps (
  step text primary key check (
    step in ('validate', 'normalize', 'scrub', 'embed', 'anchor', 'dedup', 'classify', 'insert', 'cluster')),
  reason text not null check (length(reason) between 1 and 500),
  paused_by text not null,
  paused_at timestamptz not null default now()
);
comment on table paused_steps is
  'Steps that people have paused, in the whole installation: what comes for them waits on the log. Every workspace '
  'may know which and why; who did it is known to the tenant that may.';
alter table paused_steps enable row level security;
alter table paused_steps force row level security;
create policy accounts on paused_steps to assay_accounts using (true) with check (true);
create policy app on paused_steps for select to assay_app using (true);
grant select, insert, delete on paused_steps to assay_accounts;
grant select (step, reason, paused_at) on paused_steps to assay_app;

create table processor_reports (
  processor_id uuid primary key,
  report jsonb not null,
  reported_at timestamptz not null default now()
);
comment on table processor_reports is
  'What each process that serves the pipeline last said of itself: figures, and nothing of any signal.';
comment on column processor_reports.report is 'In the shape of `ProcessorReport`.';
alter table processor_reports enable row level security;
alter table processor_reports force row level security;
create policy accounts on processor_reports to assay_accounts using (true) with check (true);
grant select, insert, update, delete on processor_reports to assay_accounts;

create table incident_limit (
  only_row boolean primary key default true check (only_row),
  units_per_minute integer not null check (units_per_minute > 0),
  since timestamptz not null default now()
);
comment on table incident_limit is
  'The operator''s incident switch: while the row is there, a key gets so many work units a minute from each '
  'program that answers it.';
alter table incident_limit enable row level security;
alter table incident_limit force row level security;
create policy accounts on incident_limit to assay_accounts using (true) with check (true);
grant select, insert, update, delete on incident_limit to assay_accounts;

create table installation_key (
  only_row boolean primary key default true check (only_row),
  check_value bytea not null,
  created_at timestamptz not null default now()
);
comment on table installation_key is
  'What tells the key of this installation from any other, so that a program with another key is refused at its '
  'start.';
comment on column installation_key.check_value is 'Nothing of the key can be learned from it.';
grant select, insert, update on installation_key to assay_edge;
