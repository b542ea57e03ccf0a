-- People's accounts. The tables `account_*` are better-auth's, under names of their own: the query API maps its fields
-- to these columns, and a test there holds the two together. They hold no workspace's data, and nobody but the
-- login role and `assay_accounts` reads them.

create table account_users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  disabled_at timestamptz,
  admitted_by text not null default 'open' check (admitted_by in ('first', 'invitation', 'open')),
  invitation_hash text check (invitation_hash ~ '^[0-9a-f]{64}$'),
  constraint invitation_of_the_invited check ((admitted_by = 'invitation') = (invitation_hash is not null))
);
comment on table account_users is 'Accounts of people, as better-auth keeps them.';
comment on column account_users.disabled_at is 'Since when the account may not sign in; null while it may.';
comment on column account_users.admitted_by is
  'How the account came in: as the first one, by an invitation, or by open sign-up.';
comment on column account_users.invitation_hash is 'The SHA-256 of the invitation''s token, in hex.';
-- A key acts as its owner, under the owner's name; the operator names an owner by address.
grant select (id, name, email, created_at, disabled_at), update (disabled_at), delete
  on account_users to assay_accounts;

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
comment on table account_sessions is
  'Sessions of people who are signed in. An account keeps so many: the oldest end when another begins.';
create index account_sessions_by_user on account_sessions (user_id);
-- Nothing by which somebody could use a session.
grant select (id, user_id, created_at, updated_at, expires_at), delete on account_sessions to assay_accounts;

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
comment on table account_credentials is
  'How an account proves itself: the hash of a password, or the tokens of a provider.';
create index account_credentials_by_user on account_credentials (user_id);
grant select (user_id, provider_id), update (password, updated_at) on account_credentials to assay_accounts;

create table account_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table account_verifications is 'What better-auth waits for a proof of, such as an address.';
create index account_verifications_by_identifier on account_verifications (identifier);

create table administrators (
  user_id uuid primary key references account_users (id) on delete cascade,
  since timestamptz not null default now()
);
comment on table administrators is 'Who runs the installation: a role on the account, beside those in workspaces.';
grant select, insert, update (since), delete on administrators to assay_accounts;

create table administration_changes (
  id uuid primary key default gen_random_uuid(),
  change text not null check (
    change in (
      'made_administrator', 'administrator_no_more', 'disabled', 'enabled', 'password_reset', 'account_deleted')),
  account_id uuid not null,
  account_name text not null,
  by_id uuid,
  by_name text not null,
  at timestamptz not null default now()
);
comment on table administration_changes is
  'What administrators and the operator did to accounts. Names as they were then; it outlives the accounts.';
comment on column administration_changes.by_id is 'Null: the operator''s command line, or the installation itself.';
create index administration_changes_by_time on administration_changes (at desc);
grant select, insert on administration_changes to assay_accounts;

-- Two who sign up at the same moment take turns here: one of them is the first, and one alone uses an invitation up.
-- Works as the role that sees every invitation.
create function admit_account() returns trigger language plpgsql set role = assay_accounts as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('assay.accounts', 0));
  if new.admitted_by = 'first' and exists (select from account_users) then
    raise exception 'The first account is there already.' using errcode = '23514', constraint = 'first_account_alone';
  end if;
  if new.admitted_by = 'invitation' then
    update invitations set signed_up = new.id
    where hash = decode(new.invitation_hash, 'hex') and signed_up is null and accepted_at is null and revoked_at is null
      and expires_at > now();
    if not found then
      raise exception 'The invitation is not open.' using errcode = '23514', constraint = 'invitation_is_open';
    end if;
  end if;
  return new;
end
$$;
create trigger admit_account before insert on account_users for each row execute function admit_account();

create function administer_first() returns trigger language plpgsql as $$
begin
  if exists (select from administrators) then
    return null;
  end if;
  insert into administrators (user_id) values (new.id);
  insert into administration_changes (change, account_id, account_name, by_name)
  values ('made_administrator', new.id, new.name, 'the installation');
  return null;
end
$$;
create trigger administer_first after insert on account_users for each row execute function administer_first();

-- Held for whatever takes an administrator away: taking the role back, disabling and deleting an account. After the
-- lock, a statement sees what those before it committed.
create function keep_an_administrator() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('assay.administrators', 0));
  if not exists (select from administrators join account_users on id = user_id where disabled_at is null) then
    raise exception 'An installation keeps an administrator.'
      using errcode = '23514', constraint = 'an_administrator_remains';
  end if;
  return null;
end
$$;
create trigger keep_an_administrator after delete on administrators
  for each statement execute function keep_an_administrator();
create trigger keep_an_administrator after update of disabled_at on account_users
  for each statement execute function keep_an_administrator();

-- Whoever disables an account ends its sessions; none begins meanwhile.
create function refuse_session_of_disabled() returns trigger language plpgsql as $$
declare
  since timestamptz;
begin
  select disabled_at into since from account_users where id = new.user_id for share;
  if since is not null then
    raise exception 'The account is disabled.' using errcode = '23514', constraint = 'session_of_enabled_account';
  end if;
  return new;
end
$$;
create trigger refuse_session_of_disabled before insert on account_sessions
  for each row execute function refuse_session_of_disabled();
