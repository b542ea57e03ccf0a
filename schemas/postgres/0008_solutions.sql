create table decisions (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  statement text not null check (length(statement) between 1 and 4000),
  made_by uuid not null,
  -- The member's name at that time; names of accounts are not the workspace's to read.
  made_by_name text not null,
  -- `app`, or `key` with the key's id and its label at that time.
  through text not null check (through in ('app', 'key')),
  key_id uuid,
  key_label text,
  made_at timestamptz not null default now(),
  unique (workspace_id, number),
  unique (workspace_id, id),
  check ((through = 'key') = (key_id is not null))
);
select guard_by_workspace('decisions');
grant select, insert on decisions to assay_app;

create table solutions (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  title text not null check (length(title) between 1 and 300),
  summary text not null default '' check (length(summary) <= 20000),
  state text not null default 'Backlog'
    check (state in ('Backlog', 'Planned', 'In Progress', 'In Review', 'Done', 'Dropped')),
  manual_rank integer,
  priority_boost double precision not null default 1 check (priority_boost between 0.1 and 10),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, number),
  unique (workspace_id, id)
);
create index solutions_by_state on solutions (workspace_id, state);
select guard_by_workspace('solutions');
grant select, insert, update on solutions to assay_app;

create table solution_claims (
  workspace_id uuid not null,
  solution_id uuid not null,
  claim_id uuid not null,
  primary key (solution_id, claim_id),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id),
  foreign key (workspace_id, claim_id) references claims (workspace_id, id)
);
create index solution_claims_by_claim on solution_claims (workspace_id, claim_id);
select guard_by_workspace('solution_claims');
grant select, insert, delete on solution_claims to assay_app;

-- What a Decision was about, and what it changed there: a row a change, so that nothing of an object's history is overwritten.
create table decision_objects (
  id bigint generated always as identity primary key,
  workspace_id uuid not null,
  decision_id uuid not null,
  object_kind text not null check (object_kind in ('solution', 'claim', 'signal')),
  object_id uuid not null,
  change jsonb not null default '{}',
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id)
);
create index decision_objects_by_decision on decision_objects (workspace_id, decision_id);
create index decision_objects_by_object on decision_objects (workspace_id, object_kind, object_id);
select guard_by_workspace('decision_objects');
grant select, insert on decision_objects to assay_app;
