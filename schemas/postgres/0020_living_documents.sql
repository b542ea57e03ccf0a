-- A Solution's life after it is planned: handoffs, its Living Document, its Outcome, and what agents learned.

-- `Done`, `Dropped` and Outcomes then need a Decision that a person made in the app.
alter table workspaces add column requires_app_decisions boolean not null default false;

-- A design or a pull request that a Solution was handed off with; a Solution keeps several.
create table handoffs (
  id uuid primary key,
  workspace_id uuid not null,
  solution_id uuid not null,
  kind text not null check (kind in ('design', 'pull_request')),
  url text not null check (length(url) between 1 and 1000),
  -- The proposal that it confirms.
  repository text,
  number integer,
  decision_id uuid not null,
  author_id uuid not null,
  author_name text not null,
  -- The key's label at that time; null when it was done in the app.
  key_label text,
  handed_off_at timestamptz not null,
  -- Set when its Decision is reversed.
  withdrawn_at timestamptz,
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id),
  foreign key (solution_id, repository, number) references handoff_proposals (solution_id, repository, number),
  check ((repository is null) = (number is null))
);
create index handoffs_by_solution on handoffs (workspace_id, solution_id, handed_off_at desc);
create index handoffs_by_decision on handoffs (workspace_id, decision_id);
select guard_by_workspace('handoffs');
grant select, insert, update on handoffs to assay_app;

-- Every version of the Markdown of a Solution, whole.
create table living_documents (
  id uuid primary key,
  workspace_id uuid not null,
  solution_id uuid not null,
  version integer not null,
  -- One version of a document is its newest: the one that is read and searched.
  newest boolean not null,
  markdown text not null check (length(markdown) <= 100000),
  edit text not null check (edit in ('replace', 'append', 'insert', 'delete')),
  -- The headings from the outermost to the edited section's; empty when the whole was edited.
  section text[] not null default '{}',
  decision_id uuid not null,
  author_id uuid not null,
  author_name text not null,
  key_label text,
  written_at timestamptz not null,
  search tsvector generated always as (case when newest then to_tsvector('simple', left(markdown, 20000)) end) stored,
  unique (workspace_id, solution_id, version),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id)
);
create unique index living_documents_newest on living_documents (workspace_id, solution_id) where newest;
select guard_by_workspace('living_documents');
grant select, insert, update on living_documents to assay_app;
select make_searchable('living_documents');

-- What came of a Done Solution. What it said before is in the Decisions that changed it.
create table outcomes (
  id uuid primary key,
  workspace_id uuid not null,
  solution_id uuid not null,
  expectation text not null check (length(expectation) between 1 and 1500),
  observation text not null check (length(observation) between 1 and 3000),
  verdict text not null check (verdict in ('met', 'partly', 'missed', 'unclear')),
  version integer not null default 1,
  decision_id uuid not null,
  author_id uuid not null,
  author_name text not null,
  key_label text,
  recorded_at timestamptz not null,
  updated_at timestamptz not null,
  unique (workspace_id, id),
  unique (workspace_id, solution_id),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id)
);
create index outcomes_by_time on outcomes (workspace_id, updated_at desc);
select guard_by_workspace('outcomes');
grant select, insert, update on outcomes to assay_app;

-- The metric points that an Outcome cites, with the value that each had then.
create table outcome_points (
  workspace_id uuid not null,
  outcome_id uuid not null,
  metric_id uuid not null,
  metric_point_id uuid not null references metric_points (id),
  value double precision not null,
  occurred_at timestamptz not null,
  primary key (outcome_id, metric_point_id),
  foreign key (workspace_id, outcome_id) references outcomes (workspace_id, id),
  foreign key (workspace_id, metric_id) references sources (workspace_id, id)
);
select guard_by_workspace('outcome_points');
grant select, insert, delete on outcome_points to assay_app;

-- What an agent learned about one Solution, claim or node of the map.
create table knowledge_notes (
  id uuid primary key,
  workspace_id uuid not null,
  solution_id uuid,
  claim_id uuid,
  node_id uuid,
  text text not null check (length(text) between 1 and 2000),
  author_id uuid not null,
  author_name text not null,
  key_label text,
  saved_at timestamptz not null,
  search tsvector not null generated always as (to_tsvector('simple', text)) stored,
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id),
  foreign key (workspace_id, claim_id) references claims (workspace_id, id),
  foreign key (workspace_id, node_id) references map_nodes (workspace_id, id) on delete cascade,
  check (num_nonnulls(solution_id, claim_id, node_id) = 1)
);
create index knowledge_notes_by_solution on knowledge_notes (workspace_id, solution_id) where solution_id is not null;
create index knowledge_notes_by_claim on knowledge_notes (workspace_id, claim_id) where claim_id is not null;
create index knowledge_notes_by_node on knowledge_notes (workspace_id, node_id) where node_id is not null;
select guard_by_workspace('knowledge_notes');
grant select, insert on knowledge_notes to assay_app;
select make_searchable('knowledge_notes');

-- Decisions whose changes are undone, each by another Decision. A row goes when that one is reversed itself.
create table decision_reversals (
  workspace_id uuid not null,
  decision_id uuid not null,
  reversal_id uuid not null,
  reversed_at timestamptz not null,
  primary key (workspace_id, decision_id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id),
  foreign key (workspace_id, reversal_id) references decisions (workspace_id, id)
);
create index decision_reversals_by_reversal on decision_reversals (workspace_id, reversal_id);
select guard_by_workspace('decision_reversals');
grant select, insert, delete on decision_reversals to assay_app;
