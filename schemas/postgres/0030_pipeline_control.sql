-- Steps that people hold still, in the whole installation: what comes for them waits on the log. Every workspace may know which and why;
-- who did it is known to the tenant that may.
create table paused_steps (
  step text primary key check (
    step in ('validate', 'normalize', 'scrub', 'embed', 'anchor', 'dedup', 'classify', 'insert', 'cluster')),
  reason text not null check (length(reason) between 1 and 500),
  paused_by text not null,
  paused_at timestamptz not null default now()
);
alter table paused_steps enable row level security;
alter table paused_steps force row level security;
create policy accounts on paused_steps to assay_accounts using (true) with check (true);
create policy app on paused_steps for select to assay_app using (true);
grant select, insert, delete on paused_steps to assay_accounts;
grant select (step, reason, paused_at) on paused_steps to assay_app;

-- What each process that serves the pipeline last said of itself, in the shape of model/pipeline/processor-report.ts: figures, and
-- nothing of any signal.
create table processor_reports (
  processor_id uuid primary key,
  report jsonb not null,
  reported_at timestamptz not null default now()
);
alter table processor_reports enable row level security;
alter table processor_reports force row level security;
create policy accounts on processor_reports to assay_accounts using (true) with check (true);
grant select, insert, update, delete on processor_reports to assay_accounts;

-- The member who ended it early.
alter table jobs add column cancelled_by text;
