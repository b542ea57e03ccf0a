-- A pull request that names a Solution: a proposal to hand it off, which a human Decision carries out.
create table handoff_proposals (
  workspace_id uuid not null,
  solution_id uuid not null,
  -- The code host and the repository, as the signals of these name their source.
  repository text not null,
  number integer not null,
  title text not null,
  url text,
  branch text not null,
  -- What was last heard of the pull request.
  state text not null check (state in ('opened', 'reopened', 'merged')),
  signal_id uuid not null,
  occurred_at timestamptz not null,
  primary key (solution_id, repository, number),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id)
);
select guard_by_workspace('handoff_proposals');
grant select on handoff_proposals to assay_app;
grant select, insert, update on handoff_proposals to assay_pipeline;
-- By its number, which is what a pull request names.
grant select (id, workspace_id, number) on solutions to assay_pipeline;
