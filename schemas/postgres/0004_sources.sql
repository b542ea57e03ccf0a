create table sources (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('signal', 'metric', 'code_host', 'email', 'connection')),
  name text not null check (length(name) between 1 and 120),
  code_host text check (code_host in ('github', 'gitea', 'forgejo')),
  -- AES-256-GCM under the installation's key: a secret that signs must be known to verify.
  sealed_secret bytea,
  -- SHA-256: a bearer secret need not be known.
  secret_hash bytea,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  -- A tombstone, so that an edge that polls for changes sees the deletion.
  deleted_at timestamptz,
  check ((kind = 'code_host') = (code_host is not null)),
  check (sealed_secret is not null or secret_hash is not null)
);
create unique index sources_one_of_a_kind on sources (workspace_id, kind)
  where kind in ('signal', 'email') and deleted_at is null;
create index sources_by_change on sources (changed_at);
select guard_by_workspace('sources');
create policy edge on sources for select to assay_edge using (true);
grant select, insert, update on sources to assay_app;
grant select on sources to assay_edge, assay_pipeline;
