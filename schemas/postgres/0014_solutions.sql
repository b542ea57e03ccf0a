create table solutions (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  number integer not null,
  title text not null check (length(title) between 1 and 300),
  summary text not null default '' check (length(summary) <= 20000),
  search tsvector not null generated always as (to_tsvector('simple', title || ' ' || summary)) stored
    check (state in ('Backlog', 'Planned', 'In Progress', 'In Review', 'Done', 'Dropped')),
  state text not null default 'Backlog',
  manual_rank integer,
  priority_boost double precision not null default 1 check (priority_boost between 0.1 and 10),
  reach double precision check (reach >= 0),
  impact double precision check (impact >= 0),
  confidence double precision check (confidence >= 0),
  effort double precision check (effort >= 0),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, number),
  unique (workspace_id, id)
);
comment on table solutions is 'Something to build, that answers claims.';
comment on column solutions.manual_rank is
  'The place that a person gave it on the board, from 1; null where its evidence says.';
comment on column solutions.priority_boost is 'The factor by which a person changes its evidence priority.';
comment on column solutions.reach is
  'As `impact`, `confidence` and `effort`: kept for audit and for workflows that size effort. '
  'Nothing is ordered by them.';
create index solutions_by_state on solutions (workspace_id, state);
select guard_by_workspace('solutions');
select make_searchable('solutions');
grant select, insert, update on solutions to assay_app;
-- By its number, which is what a pull request names.
grant select (id, workspace_id, number) on solutions to assay_pipeline;

create trigger solutions_state_changed after update of state on solutions
  for each row when (old.state is distinct from new.state) execute function record_state_change('solution');

create table solution_claims (
  workspace_id uuid not null,
  solution_id uuid not null,
  claim_id uuid not null,
  origins uuid[] not null default '{}',
  primary key (solution_id, claim_id),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id),
  foreign key (workspace_id, claim_id) references claims (workspace_id, id)
);
comment on table solution_claims is 'Which claims a Solution answers.';
comment on column solution_claims.origins is
  'As `claim_evidence.origins`: the claims that the link was brought from by merges.';
create index solution_claims_by_claim on solution_claims (workspace_id, claim_id);
select guard_by_workspace('solution_claims');
-- A merge that the judge confirms moves the Solutions' links as well.
grant select, insert, update, delete on solution_claims to assay_app, assay_pipeline;

create table handoff_proposals (
  workspace_id uuid not null,
  solution_id uuid not null,
  repository text not null,
  number integer not null,
  title text not null,
  url text,
  branch text not null,
  state text not null check (state in ('opened', 'reopened', 'merged')),
  signal_id uuid not null,
  occurred_at timestamptz not null,
  primary key (solution_id, repository, number),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id)
);
comment on table handoff_proposals is
  'A pull request that names a Solution: a proposal to hand it off, which a human Decision carries out.';
comment on column handoff_proposals.repository is
  'The code host and the repository, as the signals of these name their source.';
comment on column handoff_proposals.state is 'What was last heard of the pull request.';
select guard_by_workspace('handoff_proposals');
grant select on handoff_proposals to assay_app;
grant select, insert, update on handoff_proposals to assay_pipeline;

create table handoffs (
  id uuid primary key,
  workspace_id uuid not null,
  solution_id uuid not null,
  kind text not null check (kind in ('design', 'pull_request')),
  url text not null check (length(url) between 1 and 1000),
  repository text,
  number integer,
  decision_id uuid not null,
  author_id uuid not null,
  author_name text not null,
  key_label text,
  handed_off_at timestamptz not null,
  withdrawn_at timestamptz,
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id),
  foreign key (workspace_id, decision_id) references decisions (workspace_id, id),
  foreign key (solution_id, repository, number) references handoff_proposals (solution_id, repository, number),
  check ((repository is null) = (number is null))
);
comment on table handoffs is
  'A design or a pull request that a Solution was handed off with; a Solution keeps several.';
comment on column handoffs.repository is 'The proposal that it confirms.';
comment on column handoffs.number is 'As `repository`: of the proposal that it confirms.';
comment on column handoffs.key_label is 'The key''s label at that time; null when it was done in the app.';
comment on column handoffs.withdrawn_at is 'Set when its Decision is reversed.';
create index handoffs_by_solution on handoffs (workspace_id, solution_id, handed_off_at desc);
create index handoffs_by_decision on handoffs (workspace_id, decision_id);
select guard_by_workspace('handoffs');
grant select, insert, update on handoffs to assay_app;

create table living_documents (
  id uuid primary key,
  workspace_id uuid not null,
  solution_id uuid not null,
  version integer not null,
  newest boolean not null,
  markdown text not null check (length(markdown) <= 100000),
  edit text not null check (edit in ('replace', 'append', 'insert', 'delete')),
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
comment on table living_documents is 'Every version of the Markdown of a Solution, each as a whole.';
comment on column living_documents.newest is
  'One version of a document is its newest: the one that is read and searched.';
comment on column living_documents.section is
  'The headings from the outermost to the edited section''s; empty when the whole was edited.';
create unique index living_documents_newest on living_documents (workspace_id, solution_id) where newest;
select guard_by_workspace('living_documents');
select make_searchable('living_documents');
grant select, insert, update on living_documents to assay_app;

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
comment on table outcomes is
  'What came of a Done Solution: expected, observed, a verdict. What it said before is in the Decisions that '
  'changed it.';
create index outcomes_by_time on outcomes (workspace_id, updated_at desc);
select guard_by_workspace('outcomes');
grant select, insert, update on outcomes to assay_app;

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
comment on table outcome_points is 'The metric points that an Outcome cites, with the value that each had then.';
select guard_by_workspace('outcome_points');
grant select, insert, delete on outcome_points to assay_app;

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
comment on table knowledge_notes is 'What an agent learned about one Solution, claim or node of the map.';
create index knowledge_notes_by_solution on knowledge_notes (workspace_id, solution_id) where solution_id is not null;
create index knowledge_notes_by_claim on knowledge_notes (workspace_id, claim_id) where claim_id is not null;
create index knowledge_notes_by_node on knowledge_notes (workspace_id, node_id) where node_id is not null;
select guard_by_workspace('knowledge_notes');
select make_searchable('knowledge_notes');
grant select, insert on knowledge_notes to assay_app;
