-- Erasures: what a person said, a signal, or all of a source goes for good. See `model/erasures`.

do $$
begin
  if not exists (select from pg_roles where rolname = 'assay_erasure') then
    create role assay_erasure nologin;
  end if;
  grant assay_erasure to current_user;
  grant usage on schema public to assay_erasure;
end
$$;

-- `assay_erasure` looks through everything of one workspace, and takes away or rewrites what is to go.
create function allow_erasures(guarded regclass) returns void language plpgsql as $$
begin
  execute format(
    'create policy erasure on %s to assay_erasure
       using (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))
       with check (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))',
    guarded);
  -- All of it, because the tables' triggers change other tables for whoever writes.
  execute format('grant select, insert, update, delete on %s to assay_erasure', guarded);
end
$$;

create or replace function guard_by_workspace(guarded regclass, looked_up_by_index boolean default false) returns void
  language plpgsql as $$
begin
  perform guard_against_other_workspaces(guarded, looked_up_by_index);
  perform guard_for_sandbox(guarded);
  perform allow_transfers(guarded);
  perform allow_erasures(guarded);
end
$$;

-- Not those of who may enter.
select allow_erasures(columns.attrelid)
from pg_attribute as columns join pg_class on pg_class.oid = columns.attrelid
where columns.attname = 'workspace_id' and pg_class.relkind = 'r' and pg_class.relnamespace = 'public'::regnamespace
  and pg_class.relname not in ('members', 'invitations', 'mcp_keys', 'last_visits', 'dismissed_first_steps');
create policy erasure on workspaces for select to assay_erasure
  using (id = (select nullif(current_setting('assay.workspace_id', true), '')::uuid));
grant select on workspaces to assay_erasure;
grant select on weighted_evidence to assay_erasure;

alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in (
  'replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export', 'review', 'take_out',
  'learn', 'calibrate', 'erase'));

create table erasures (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  job_id uuid references jobs (id),
  what text not null check (what in ('person', 'signal', 'source')),
  label text not null default '' check (length(label) <= 200),
  sealed bytea,
  asked_by uuid not null,
  asked_by_name text not null,
  asked_at timestamptz not null default now(),
  finished_at timestamptz,
  erased_signals integer not null default 0,
  counts jsonb not null default '{}',
  proof jsonb,
  unique (workspace_id, id)
);
comment on table erasures is 'What was erased, when and by whom, with counts and a proof. Whom it was about is in none of it.';
comment on column erasures.label is 'Of a signal its reference, of a source its name; nothing of a person.';
comment on column erasures.sealed is 'What is looked for, sealed; null as soon as the erasure is done.';
comment on column erasures.asked_at is 'What was received before this does not come back.';
comment on column erasures.erased_signals is 'Signals that the ledger counts as erased: rows, repeats and dead letters by their ids.';
comment on column erasures.counts is 'Rows that went or were rewritten, by table.';
comment on column erasures.proof is 'What a search of every store found afterwards.';
create index erasures_by_time on erasures (workspace_id, asked_at desc, id desc);
select guard_by_workspace('erasures');
grant select, insert, update (job_id) on erasures to assay_app;
grant select (id, workspace_id, erased_signals, finished_at, asked_at) on erasures to assay_pipeline;

create table erasure_items (
  workspace_id uuid not null,
  erasure_id uuid not null,
  signal_id uuid not null,
  primary key (erasure_id, signal_id),
  foreign key (workspace_id, erasure_id) references erasures (workspace_id, id) on delete cascade
);
comment on table erasure_items is 'The signals that an erasure under way has found. They go with its end.';
select guard_by_workspace('erasure_items');
grant select (workspace_id, erasure_id, signal_id) on erasure_items to assay_app, assay_pipeline;

create table erasure_marks (
  workspace_id uuid not null references workspaces (id),
  mark text not null,
  before timestamptz not null,
  primary key (workspace_id, mark)
);
comment on table erasure_marks is
  'Who and what was erased, as keyed hashes: a record on the log that was received before then is dropped.';
select guard_by_workspace('erasure_marks', looked_up_by_index => true);
grant select on erasure_marks to assay_pipeline;

create table erasure_quotes (
  workspace_id uuid not null,
  erasure_id uuid not null,
  hash bigint not null,
  primary key (erasure_id, hash),
  foreign key (workspace_id, erasure_id) references erasures (workspace_id, id) on delete cascade
);
comment on table erasure_quotes is
  'Hashes of the sentences that an erasure under way has taken away, for those who quote them. They go with its end.';
select guard_by_workspace('erasure_quotes');

-- What an erasure looks through without a place to go on from: it takes away what it finds.
create index decision_objects_of_signals on decision_objects (workspace_id, object_id) where object_kind = 'signal';
