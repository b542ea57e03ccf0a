create table decisions (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  statement text not null check (length(statement) between 1 and 4000),
  made_by uuid not null,
  made_by_name text not null,
  through text not null check (through in ('app', 'key')),
  key_id uuid,
  key_label text,
  made_at timestamptz not null default now(),
  search tsvector not null generated always as (to_tsvector('simple', statement)) stored,
  unique (workspace_id, number),
  unique (workspace_id, id),
  check ((through = 'key') = (key_id is not null))
);
comment on table decisions is
  'What a person decided and why. Each change of a Solution hangs on one, and one can reverse another.';
comment on column decisions.made_by_name is
  'The member''s name at that time; names of accounts are not the workspace''s to read.';
comment on column decisions.through is '`app`, or `key` with the key''s id and its label at that time.';
create index decisions_by_time on decisions (workspace_id, made_at desc);
select guard_by_workspace('decisions');
select make_searchable('decisions');
grant select, insert on decisions to assay_app;
-- A merge proposal that was decided is read with the number of its Decision.
grant select (id, workspace_id, number) on decisions to assay_pipeline;

create table decision_objects (
  id bigint generated always as identity primary key,
  workspace_id uuid not null,
  decision_id uuid not null,
  object_kind text not null check (object_kind in ('solution', 'claim', 'signal', 'group', 'strategy_element')),
  object_id uuid not null,
  change jsonb not null default '{}',
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id)
);
comment on table decision_objects is
  'What a Decision was about, and what it changed there: a row a change, so that nothing of an object''s history is '
  'overwritten.';
comment on column decision_objects.change is
  'By field, what it was and what it became: `{"state": {"from": "Backlog", "to": "Planned"}}`.';
create index decision_objects_by_decision on decision_objects (workspace_id, decision_id);
create index decision_objects_by_object on decision_objects (workspace_id, object_kind, object_id);
select guard_by_workspace('decision_objects');
grant select, insert on decision_objects to assay_app;

create table decision_reversals (
  workspace_id uuid not null,
  decision_id uuid not null,
  reversal_id uuid not null,
  reversed_at timestamptz not null,
  primary key (workspace_id, decision_id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id),
  foreign key (workspace_id, reversal_id) references decisions (workspace_id, id)
);
comment on table decision_reversals is
  'Decisions whose changes are undone, each by another Decision. A row goes when that one is reversed itself.';
create index decision_reversals_by_reversal on decision_reversals (workspace_id, reversal_id);
select guard_by_workspace('decision_reversals');
grant select, insert, delete on decision_reversals to assay_app;

create table state_changes (
  id bigint generated always as identity primary key,
  workspace_id uuid not null references workspaces (id),
  object_kind text not null check (object_kind in ('claim', 'solution')),
  object_id uuid not null,
  from_state text not null,
  to_state text not null,
  changed_at timestamptz not null
);
comment on table state_changes is
  'Each change of a claim''s or a Solution''s state: what changed since a time, and how long it has been so. '
  'Written by triggers of these tables, whoever changes them.';
create index state_changes_by_time on state_changes (workspace_id, object_kind, changed_at desc);
create index state_changes_by_object on state_changes (workspace_id, object_id, changed_at desc);
select guard_by_workspace('state_changes');
grant select, insert on state_changes to assay_app, assay_pipeline;

-- For a table with `id`, `state` and `updated_at`; its argument is the kind of object.
create function record_state_change() returns trigger language plpgsql as $$
begin
  insert into state_changes (workspace_id, object_kind, object_id, from_state, to_state, changed_at)
  values (new.workspace_id, tg_argv[0], new.id, old.state, new.state, new.updated_at);
  return null;
end
$$;
