-- Passkeys: another way to sign in, beside the password.

create table account_passkeys (
  id uuid primary key,
  user_id uuid not null references account_users (id) on delete cascade,
  name text not null,
  -- One credential is one account's: else who knows the id of somebody's could put a key of their own under it.
  credential_id text not null unique,
  public_key text not null,
  -- An authenticator counts in 32 bits without a sign, and the library wants a number.
  counter double precision not null default 0,
  device_type text not null,
  backed_up boolean not null default false,
  transports text,
  aaguid text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
comment on table account_passkeys is
  'The public keys of people''s passkeys. The private ones never leave their devices, so nothing here is sealed.';
comment on column account_passkeys.name is 'What the person calls it, to know it again.';
comment on column account_passkeys.counter is
  'Of the uses that the authenticator has counted, where it counts: one that goes back was copied, and is refused.';
comment on column account_passkeys.backed_up is 'Whether the person''s other devices have it, too.';
comment on column account_passkeys.aaguid is 'The model of the authenticator, where it says so.';

create index account_passkeys_of_user on account_passkeys (user_id);

grant select (id, user_id, name, credential_id, backed_up, created_at, last_used_at), update (name, last_used_at), delete
  on account_passkeys to assay_accounts;
