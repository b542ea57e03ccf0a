create table sources (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('signal', 'metric', 'code_host', 'email', 'connection')),
  name text not null check (length(name) between 1 and 120),
  code_host text check (code_host in ('github', 'gitea', 'forgejo')),
  sealed_secret bytea,
  secret_hash bytea,
  previous_sealed_secret bytea,
  previous_secret_hash bytea,
  previous_valid_until timestamptz,
  settings jsonb not null default '{}',
  paused_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  deleted_at timestamptz,
  check ((kind = 'code_host') = (code_host is not null)),
  constraint sources_of_a_workspace unique (workspace_id, id),
  -- Mail proves itself by the address that it is sent to.
  constraint sources_have_a_secret check (kind = 'email' or sealed_secret is not null or secret_hash is not null),
  constraint sources_previous_secrets_end
    check ((previous_sealed_secret is null and previous_secret_hash is null) = (previous_valid_until is null))
);
comment on table sources is
  'A way in, with an address and a secret: a webhook, a mail address, a code host, a metric or a connection.';
comment on column sources.sealed_secret is
  'AES-256-GCM under the installation''s key: a secret that signs must be known to verify.';
comment on column sources.secret_hash is 'SHA-256: a bearer secret need not be known.';
comment on column sources.previous_sealed_secret is
  'While a secret is rotated the one before it stays valid until a time, so that its senders can be changed one by '
  'one.';
comment on column sources.settings is
  'What a kind needs besides; for a connection, where a signal''s fields are in what it sends.';
comment on column sources.paused_at is
  'Since when the edge has its senders come back later; null while it takes what they send.';
comment on column sources.deleted_at is 'A tombstone, so that an edge that polls for changes sees the deletion.';
create unique index sources_one_of_a_kind on sources (workspace_id, kind)
  where kind in ('signal', 'email') and deleted_at is null;
create index sources_by_change on sources (changed_at);
select guard_by_workspace('sources');
-- A source is closed, never removed: the edge polls for changes and would not see a row that is gone.
revoke delete on sources from assay_sandbox;
create policy edge on sources for select to assay_edge using (true);
-- Whoever deletes an account closes the sources of what goes with it.
create policy accounts on sources to assay_accounts using (true) with check (true);
grant select, insert, update on sources to assay_app;
grant select on sources to assay_edge, assay_pipeline;
grant select (workspace_id, deleted_at), update (deleted_at, changed_at) on sources to assay_accounts;
