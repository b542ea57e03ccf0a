create table tenants (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default now()
);
alter table tenants enable row level security;
alter table tenants force row level security;
create policy accounts on tenants to assay_accounts using (true) with check (true);
grant select, insert on tenants to assay_accounts;

create table workspaces (
  id uuid primary key,
  tenant_id uuid not null references tenants (id),
  -- Unique everywhere: it is the readable half of the ingestion address.
  slug text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,47}$'),
  name text not null check (length(name) between 1 and 120),
  sandbox boolean not null default false,
  created_at timestamptz not null default now()
);
alter table workspaces enable row level security;
alter table workspaces force row level security;
create policy accounts on workspaces to assay_accounts using (true) with check (true);
create policy app on workspaces for select to assay_app
  using (id = nullif(current_setting('assay.workspace_id', true), '')::uuid);
create policy edge on workspaces for select to assay_edge using (true);
grant select, insert, update on workspaces to assay_accounts;
grant select on workspaces to assay_app, assay_edge;

create table members (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references account_users (id) on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index members_by_user on members (user_id);
select guard_by_workspace('members');
create policy accounts on members to assay_accounts using (true) with check (true);
grant select, insert, update, delete on members to assay_accounts;
grant select on members to assay_app;

create table mcp_keys (
  id uuid primary key,
  workspace_id uuid not null,
  owner_id uuid not null,
  label text not null check (length(label) between 1 and 120),
  -- SHA-256 of the key as shown; the plaintext is never stored.
  hash bytea not null unique check (length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  scope text not null check (scope in ('workspace', 'provisioning')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- A key dies with the membership of its owner.
  foreign key (workspace_id, owner_id) references members (workspace_id, user_id) on delete cascade
);
create index mcp_keys_by_workspace on mcp_keys (workspace_id, created_at);
select guard_by_workspace('mcp_keys');
create policy accounts on mcp_keys to assay_accounts using (true) with check (true);
grant select, insert, update, delete on mcp_keys to assay_accounts;
grant select, insert, delete on mcp_keys to assay_app;

-- The next N of SIG-N, CLM-N, SOL-N and DEC-N, a row a workspace and kind.
create table reference_counters (
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('signal', 'claim', 'solution', 'decision')),
  last_number integer not null default 0,
  primary key (workspace_id, kind)
);
select guard_by_workspace('reference_counters');
grant select, insert, update on reference_counters to assay_app, assay_pipeline;
