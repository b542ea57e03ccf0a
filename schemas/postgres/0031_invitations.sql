-- A link that makes who follows it a member, once. The token of the link is shown when it is made; only its SHA-256 is stored.
create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  role text not null check (role in ('owner', 'member', 'viewer')),
  -- Whom it is for, in the inviting owner's words.
  label text not null check (length(label) between 1 and 120),
  hash bytea not null unique check (length(hash) = 32),
  invited_by uuid not null,
  -- As the owner was called at that time.
  invited_by_name text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  check ((accepted_at is null) = (accepted_by is null))
);
create index invitations_by_workspace on invitations (workspace_id, created_at);
select guard_by_workspace('invitations');
create policy accounts on invitations to assay_accounts using (true) with check (true);
grant select, insert, update on invitations to assay_accounts;
