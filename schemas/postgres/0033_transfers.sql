-- Files that people bring and take: signals to import, and exports of the workspace.

alter table jobs
  drop constraint jobs_kind_check,
  add constraint jobs_kind_check
    check (kind in ('replay', 're_embed', 're_scrub', 're_anchor', 're_judge', 'check_import', 'import', 'export'));

create table transfers (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  direction text not null check (direction in ('import', 'export')),
  format text not null check (format in ('csv', 'json_lines', 'workspace')),
  name text not null check (length(name) between 1 and 200),
  -- False while the file is on its way in.
  complete boolean not null default false,
  -- Of the whole file as it is read, neither compressed nor sealed.
  bytes bigint not null default 0,
  -- How a file of signals is read, in the shape of its format. Nothing of its content: columns are known by their position.
  reading jsonb not null default '{}',
  -- What the dry run found; of an export, its first line.
  report jsonb,
  check_job_id uuid references jobs (id),
  job_id uuid references jobs (id),
  -- Of a workspace's export that is being imported: how many lines are in the tables.
  applied integer not null default 0,
  started_by text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index transfers_by_time on transfers (workspace_id, created_at desc, id desc);
create index transfers_by_job on transfers (job_id) where job_id is not null;
select guard_by_workspace('transfers');
grant select, insert, update, delete on transfers to assay_app;
grant select, update on transfers to assay_pipeline;

-- A file in pieces of its bytes, each compressed and sealed: what people upload is personal data until the pipeline has scrubbed it.
create table transfer_pieces (
  workspace_id uuid not null,
  transfer_id uuid not null,
  -- From which byte of the file on.
  starts_at bigint not null,
  bytes integer not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  primary key (transfer_id, starts_at),
  foreign key (workspace_id, transfer_id) references transfers (workspace_id, id) on delete cascade
);
alter table transfer_pieces alter column sealed set storage external;
create index transfer_pieces_by_age on transfer_pieces (created_at);
select guard_by_workspace('transfer_pieces');
grant select, insert, delete on transfer_pieces to assay_app;
grant select, delete on transfer_pieces to assay_pipeline;

-- Which texts a dry run has met, by the first eight bytes of their hash, and on which line first. They go with the file.
create table transfer_texts (
  workspace_id uuid not null,
  transfer_id uuid not null,
  hash bigint not null,
  line integer not null,
  primary key (transfer_id, hash),
  foreign key (workspace_id, transfer_id) references transfers (workspace_id, id) on delete cascade
);
select guard_by_workspace('transfer_texts');
grant select, delete on transfer_texts to assay_app;
grant select, insert, delete on transfer_texts to assay_pipeline;

-- The processors end jobs and clear what is a day old, across workspaces, and read nothing of it.
create policy clearing on transfers for select to assay_accounts using (true);
grant select (id, workspace_id, job_id) on transfers to assay_accounts;
create policy clearing on transfer_pieces to assay_accounts using (true);
grant select (transfer_id, created_at), delete on transfer_pieces to assay_accounts;
create policy clearing on transfer_texts to assay_accounts using (true);
grant select (transfer_id), delete on transfer_texts to assay_accounts;

-- A file goes when its import is over, however that came about, and when its export comes to nothing.
create function forget_file() returns trigger language plpgsql as $$
begin
  delete from transfer_texts using transfers where transfers.id = transfer_texts.transfer_id and transfers.job_id = new.id;
  delete from transfer_pieces using transfers where transfers.id = transfer_pieces.transfer_id and transfers.job_id = new.id;
  return null;
end
$$;
create trigger file_forgotten after update of state on jobs
  for each row when (old.state = 'running' and (
    new.kind = 'import' and new.state <> 'running' or new.kind = 'export' and new.state in ('cancelled', 'failed')))
  execute function forget_file();
