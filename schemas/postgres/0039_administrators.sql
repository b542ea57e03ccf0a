-- How an account came in, whether it may still, and by which invitation; see query-api/accounts/sign-up-check.ts.
alter table account_users
  add column disabled_at timestamptz,
  add column admitted_by text not null default 'open' check (admitted_by in ('first', 'invitation', 'open')),
  -- The SHA-256 of the invitation's token, in hex.
  add column invitation_hash text check (invitation_hash ~ '^[0-9a-f]{64}$'),
  add constraint invitation_of_the_invited check ((admitted_by = 'invitation') = (invitation_hash is not null));

-- The account that was made by following the invitation: nobody else accepts it then.
alter table invitations add column signed_up uuid;

-- Who runs the installation: a role beside those in workspaces, on the account.
create table administrators (
  user_id uuid primary key references account_users (id) on delete cascade,
  since timestamptz not null default now()
);

-- What administrators and the operator did to accounts. Names as they were then; it outlives the accounts.
create table administration_changes (
  id uuid primary key default gen_random_uuid(),
  change text not null check (
    change in ('made_administrator', 'administrator_no_more', 'disabled', 'enabled', 'password_reset', 'account_deleted')),
  account_id uuid not null,
  account_name text not null,
  -- Null: the operator's command line, or the installation itself.
  by_id uuid,
  by_name text not null,
  at timestamptz not null default now()
);
create index administration_changes_by_time on administration_changes (at desc);

grant select (created_at, disabled_at), update (disabled_at), delete on account_users to assay_accounts;
grant select (id, user_id, updated_at), delete on account_sessions to assay_accounts;
grant select (user_id, provider_id), update (password, updated_at) on account_credentials to assay_accounts;
grant select, insert, update (since), delete on administrators to assay_accounts;
grant select, insert on administration_changes to assay_accounts;

-- Whoever signed up first and owns something ran the installation so far. As the role that sees every membership.
set local role assay_accounts;
with earliest as (
  insert into administrators (user_id)
  select id from account_users
  order by exists (select from members where user_id = id and role = 'owner') desc, created_at, id
  limit 1
  returning user_id)
insert into administration_changes (change, account_id, account_name, by_name)
select 'made_administrator', id, name, 'the installation' from earliest join account_users on id = user_id;
reset role;

-- Two who sign up at the same moment take turns here: one of them is the first, and one alone uses an invitation up. Works as the role
-- that sees every invitation.
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

-- Held for whatever takes an administrator away: taking the role back, disabling and deleting an account. After the lock, a statement
-- sees what those before it committed.
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
