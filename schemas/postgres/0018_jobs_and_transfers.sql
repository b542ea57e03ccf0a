create table jobs (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in (
    'replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export', 'review')),
  input jsonb not null default '{}',
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'failed')),
  cursor jsonb,
  total integer,
  done integer not null default 0,
  failed integer not null default 0,
  message text,
  started_by text not null,
  cancelled_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  leased_until timestamptz,
  lease_id uuid,
  not_before timestamptz not null default now(),
  waits integer not null default 0
);
comment on table jobs is
  'Long work on one workspace: replays, re-embedding and the like. A processor holds a job by its lease, does it in '
  'slices, and moves the cursor with each of them; whoever takes the lease after a crash goes on from there.';
comment on column jobs.input is 'What was asked for, in the shape of its kind.';
comment on column jobs.cursor is 'Where the next slice begins, in the shape of its kind; null before the first.';
comment on column jobs.total is 'How many items there are, counted when it began; null while unknown.';
comment on column jobs.failed is
  'Of those done, how many came to nothing; `message` says why the last of them did, or why the job failed.';
comment on column jobs.started_by is 'A member''s name, or what began it by itself.';
comment on column jobs.cancelled_by is 'The member who ended it early.';
comment on column jobs.leased_until is 'Until when one processor has it.';
comment on column jobs.lease_id is
  'Which hold of the job the lease stands for: a processor that lost it writes nothing.';
comment on column jobs.not_before is 'The earliest moment of its next slice.';
comment on column jobs.waits is 'How many slices in a row found a dependency away, by which the pause grows.';
create index jobs_by_workspace on jobs (workspace_id, created_at desc);
create index jobs_running on jobs (not_before) where state = 'running';
-- One job of a kind at a time in a workspace. Replays are apart: each has dead letters of its own.
create unique index jobs_one_running on jobs (workspace_id, kind) where state = 'running' and kind <> 'replay';
select guard_by_workspace('jobs');
-- The processors look for work across workspaces, and do it within one.
create policy runner on jobs to assay_accounts using (true) with check (true);
grant select, insert, update on jobs to assay_app, assay_pipeline;
grant select, update on jobs to assay_accounts;

-- Files that people bring and take: signals to import, and exports of the workspace.

create table transfers (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  direction text not null check (direction in ('import', 'export')),
  format text not null check (format in ('csv', 'json_lines', 'workspace')),
  name text not null check (length(name) between 1 and 200),
  complete boolean not null default false,
  bytes bigint not null default 0,
  megabytes integer not null default 0,
  reading jsonb not null default '{}',
  report jsonb,
  check_job_id uuid references jobs (id),
  job_id uuid references jobs (id),
  applied integer not null default 0,
  started_by text not null,
  account_id uuid,
  created_at timestamptz not null default now(),
  unique (workspace_id, id)
);
comment on table transfers is 'A file that is imported or exported.';
comment on column transfers.complete is 'False while the file is on its way in.';
comment on column transfers.bytes is 'Of the whole file as it is read, neither compressed nor sealed.';
comment on column transfers.megabytes is 'How many MB begun the upload has taken so far.';
comment on column transfers.reading is
  'How a file of signals is read, in the shape of its format. Nothing of its content: columns are known by their '
  'position.';
comment on column transfers.report is 'What the dry run found; of an export, its first line.';
comment on column transfers.applied is
  'Of a workspace''s export that is being imported: how many lines are in the tables.';
comment on column transfers.account_id is 'Whose upload it is.';
create index transfers_by_time on transfers (workspace_id, created_at desc, id desc);
create index transfers_by_job on transfers (job_id) where job_id is not null;
create index transfers_by_account on transfers (account_id) where account_id is not null;
select guard_by_workspace('transfers');
-- The processors end jobs and clear what is a day old, across workspaces, and read nothing of it; quotas count uploads.
create policy clearing on transfers for select to assay_accounts using (true);
create policy quotas on transfers for update to assay_accounts using (true) with check (true);
grant select, insert, update, delete on transfers to assay_app;
grant select, update on transfers to assay_pipeline;
grant select (id, workspace_id, job_id, account_id, direction, complete, created_at, megabytes), update (megabytes)
  on transfers to assay_accounts;

create table transfer_pieces (
  workspace_id uuid not null,
  transfer_id uuid not null,
  starts_at bigint not null,
  bytes integer not null,
  sealed bytea storage external not null,
  created_at timestamptz not null default now(),
  primary key (transfer_id, starts_at),
  foreign key (workspace_id, transfer_id) references transfers (workspace_id, id) on delete cascade
);
comment on table transfer_pieces is
  'A file in pieces of its bytes, each compressed and sealed: what people upload is personal data until the '
  'pipeline has scrubbed it.';
comment on column transfer_pieces.starts_at is 'From which byte of the file on.';
create index transfer_pieces_by_age on transfer_pieces (created_at);
select guard_by_workspace('transfer_pieces');
create policy clearing on transfer_pieces to assay_accounts using (true);
grant select, insert, delete on transfer_pieces to assay_app;
grant select, delete on transfer_pieces to assay_pipeline;
grant select (transfer_id, created_at), delete on transfer_pieces to assay_accounts;

create table transfer_texts (
  workspace_id uuid not null,
  transfer_id uuid not null,
  hash bigint not null,
  line integer not null,
  primary key (transfer_id, hash),
  foreign key (workspace_id, transfer_id) references transfers (workspace_id, id) on delete cascade
);
comment on table transfer_texts is 'Which texts a dry run has met. They go with the file.';
comment on column transfer_texts.hash is 'The first eight bytes of the text''s hash.';
comment on column transfer_texts.line is 'On which line it came first.';
select guard_by_workspace('transfer_texts');
create policy clearing on transfer_texts to assay_accounts using (true);
grant select, delete on transfer_texts to assay_app;
grant select, insert, delete on transfer_texts to assay_pipeline;
grant select (transfer_id), delete on transfer_texts to assay_accounts;

-- A file goes when its import is over, however that came about, and when its export comes to nothing.
create function delete_transfer_pieces() returns trigger language plpgsql as $$
begin
  delete from transfer_texts using transfers
  where transfers.id = transfer_texts.transfer_id and transfers.job_id = new.id;
  delete from transfer_pieces using transfers
  where transfers.id = transfer_pieces.transfer_id and transfers.job_id = new.id;
  return null;
end
$$;
create trigger transfer_pieces_deleted after update of state on jobs
  for each row when (old.state = 'running' and (
    new.kind = 'import' and new.state <> 'running' or new.kind = 'export' and new.state in ('cancelled', 'failed')))
  execute function delete_transfer_pieces();
