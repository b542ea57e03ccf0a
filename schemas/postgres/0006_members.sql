-- Who may enter a workspace. None of it is sample data, and none of it leaves with an export.

create table members (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references account_users (id) on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
comment on table members is
  'A person in a workspace, with a role: a viewer reads, a member works, an owner also invites and sets rules.';
create index members_by_user on members (user_id);
select guard_against_other_workspaces('members');
create policy accounts on members to assay_accounts using (true) with check (true);
grant select, insert, update, delete on members to assay_accounts;
grant select on members to assay_app;

create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  role text not null check (role in ('owner', 'member', 'viewer')),
  label text not null check (length(label) between 1 and 120),
  hash bytea not null unique check (length(hash) = 32),
  invited_by uuid not null,
  invited_by_name text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  signed_up uuid,
  check ((accepted_at is null) = (accepted_by is null))
);
comment on table invitations is
  'A link that makes who follows it a member, once. The token is shown when the link is made and stored nowhere.';
comment on column invitations.label is 'Whom it is for, in the inviting owner''s words.';
comment on column invitations.hash is 'SHA-256 of the token.';
comment on column invitations.invited_by_name is 'As the owner was called at that time.';
comment on column invitations.signed_up is
  'The account that was made by following the invitation: nobody else accepts it then.';
create index invitations_by_workspace on invitations (workspace_id, created_at);
select guard_against_other_workspaces('invitations');
create policy accounts on invitations to assay_accounts using (true) with check (true);
grant select, insert, update on invitations to assay_accounts;

create table mcp_keys (
  id uuid primary key,
  workspace_id uuid not null,
  owner_id uuid not null,
  label text not null check (length(label) between 1 and 120),
  hash bytea not null unique check (length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  scope text not null check (scope in ('workspace', 'provisioning')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  -- A key dies with the membership of its owner.
  foreign key (workspace_id, owner_id) references members (workspace_id, user_id) on delete cascade
);
comment on table mcp_keys is 'The secrets by which programs act as a member of a workspace over MCP.';
comment on column mcp_keys.hash is 'SHA-256 of the key as shown; the plaintext is never stored.';
create index mcp_keys_by_workspace on mcp_keys (workspace_id, created_at);
select guard_against_other_workspaces('mcp_keys');
create policy accounts on mcp_keys to assay_accounts using (true) with check (true);
grant select, insert, update, delete on mcp_keys to assay_accounts;
grant select, insert, delete on mcp_keys to assay_app;

create table last_visits (
  workspace_id uuid not null references workspaces (id),
  viewer_id uuid not null,
  visited_at timestamptz not null,
  primary key (workspace_id, viewer_id)
);
comment on table last_visits is 'Until when a key, or a member in the app, has seen what changed.';
comment on column last_visits.viewer_id is 'The key''s or the member''s id.';
select guard_against_other_workspaces('last_visits');
select guard_for_sandbox('last_visits');
grant select, insert, update on last_visits to assay_app;

create table idempotent_answers (
  workspace_id uuid not null references workspaces (id),
  caller_id uuid not null,
  idempotency_key text not null check (length(idempotency_key) between 1 and 255),
  operation text not null,
  arguments_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, caller_id, idempotency_key)
);
comment on table idempotent_answers is
  'The first answer to a write that came with an `X-Idempotency-Key`, stored in that write''s transaction.';
comment on column idempotent_answers.caller_id is 'The key''s or the member''s id: two callers may use the same words.';
create index idempotent_answers_by_age on idempotent_answers (created_at);
select guard_against_other_workspaces('idempotent_answers');
select guard_for_sandbox('idempotent_answers');
create policy accounts on idempotent_answers to assay_accounts using (true) with check (true);
grant select, insert, delete on idempotent_answers to assay_app, assay_accounts;

create table reference_counters (
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('signal', 'claim', 'solution', 'decision')),
  last_number integer not null default 0,
  primary key (workspace_id, kind)
);
comment on table reference_counters is
  'The last N of SIG-N, CLM-N, SOL-N and DEC-N that was given, a row a workspace and kind.';
select guard_by_workspace('reference_counters');
grant select, insert, update on reference_counters to assay_app, assay_pipeline;
