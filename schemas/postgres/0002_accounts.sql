-- better-auth's tables, under names of their own; `query-api/accounts` maps its fields to these columns, and a test there holds
-- the two together. They hold no workspace's data, and only the login role reads them.
create table account_users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- A key acts as its owner, under the owner's name.
grant select (id, name) on account_users to assay_accounts;

create table account_sessions (
  id uuid primary key,
  user_id uuid not null references account_users (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  active_workspace_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index account_sessions_by_user on account_sessions (user_id);

create table account_credentials (
  id uuid primary key,
  user_id uuid not null references account_users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index account_credentials_by_user on account_credentials (user_id);

create table account_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index account_verifications_by_identifier on account_verifications (identifier);
