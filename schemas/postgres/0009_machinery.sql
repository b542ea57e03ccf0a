-- The dead letters of the log, as people and agents see them. The record itself is sealed when it died before scrub.
create table dead_letters (
  signal_id uuid not null,
  step text not null,
  workspace_id uuid not null references workspaces (id),
  topic text not null,
  fault text not null check (fault in ('sender', 'ours', 'transient')),
  error_class text not null,
  message text not null,
  attempts integer not null,
  first_failed_at timestamptz not null,
  last_failed_at timestamptz not null,
  trace_id text not null default '',
  sealed boolean not null,
  record bytea not null,
  state text not null default 'waiting' check (state in ('waiting', 'replayed', 'discarded')),
  -- How often it died: above 1, a replay died again.
  deaths integer not null default 1,
  -- Which replay of the signal died here, 0 before the first: the same death delivered again is not another one.
  replay integer not null default 0,
  primary key (signal_id, step)
);
create index dead_letters_by_workspace on dead_letters (workspace_id, state, last_failed_at desc);
select guard_by_workspace('dead_letters');
grant select, update on dead_letters to assay_app;
grant select, insert, update on dead_letters to assay_pipeline;

-- Activity of the query API, written with the change it tells of and relayed to the log afterwards.
create table outbox (
  id bigint generated always as identity primary key,
  workspace_id uuid not null references workspaces (id),
  activity jsonb not null,
  created_at timestamptz not null default now()
);
select guard_by_workspace('outbox');
create policy relay on outbox to assay_accounts using (true);
grant insert on outbox to assay_app, assay_pipeline;
-- Operations about who may enter work as assay_accounts and record their activity too.
grant select, insert, delete on outbox to assay_accounts;

-- The first answer to a write that came with an `X-Idempotency-Key`, stored in that write's transaction.
create table idempotent_answers (
  workspace_id uuid not null references workspaces (id),
  -- The key's or the member's id: two callers may use the same words.
  caller_id uuid not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  operation text not null,
  arguments_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, caller_id, idempotency_key)
);
create index idempotent_answers_by_age on idempotent_answers (created_at);
select guard_by_workspace('idempotent_answers');
create policy accounts on idempotent_answers to assay_accounts using (true) with check (true);
grant select, insert, delete on idempotent_answers to assay_app, assay_accounts;
