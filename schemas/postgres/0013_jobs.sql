-- Long work on one workspace: replays, re-embedding and the like. A processor holds a job by its lease, does it in slices, and moves the cursor
-- with each of them; whoever takes the lease after a crash goes on from there.
create table jobs (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('replay', 're_embed', 're_scrub', 're_anchor', 're_judge')),
  -- What was asked for, in the shape of its kind.
  input jsonb not null default '{}',
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  -- Where the next slice begins, in the shape of its kind; null before the first.
  cursor jsonb,
  -- How many items there are, counted when it began; null while unknown.
  total integer,
  done integer not null default 0,
  -- Of those done, how many came to nothing; `message` says why the last of them did, or why the job failed.
  failed integer not null default 0,
  message text,
  -- A member's name, or what began it by itself.
  started_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Until when one processor has it, and the earliest moment of its next slice.
  leased_until timestamptz,
  not_before timestamptz not null default now()
);
create index jobs_by_workspace on jobs (workspace_id, created_at desc);
create index jobs_running on jobs (not_before) where state = 'running';
select guard_by_workspace('jobs');
-- The processors look for work across workspaces, and do it within one.
create policy runner on jobs to assay_accounts using (true) with check (true);
grant select, insert, update on jobs to assay_app, assay_pipeline;
grant select, update on jobs to assay_accounts;
