-- Single sign-on, and the second factor.

alter table account_users drop constraint account_users_admitted_by_check;
alter table account_users add constraint account_users_admitted_by_check check (
  admitted_by in ('first', 'invitation', 'open', 'sign_on'));
comment on column account_users.admitted_by is
  'How the account came in: as the first one, by an invitation, by open sign-up, or by single sign-on.';

-- One account at the issuer is one here, whoever comes second.
create unique index account_credentials_of_provider on account_credentials (provider_id, account_id);

alter table members add column by_sign_on boolean not null default false;
comment on column members.by_sign_on is
  'Whether the groups at the issuer gave the role: then they change it and take it away too.';

alter table account_users add column two_factor_enabled boolean default false;
comment on column account_users.two_factor_enabled is 'Whether a sign-in with the password asks for a second factor.';
grant select (two_factor_enabled), update (two_factor_enabled) on account_users to assay_accounts;

create table account_two_factors (
  id uuid primary key,
  user_id uuid not null unique references account_users (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamptz
);
comment on table account_two_factors is
  'The secret of a person''s authenticator app and their backup codes, each encrypted with a key made of the '
  'installation''s.';
-- Encrypted still: they are encrypted anew when the installation's key is replaced.
grant select (id, user_id, verified, secret, backup_codes), update (secret, backup_codes), delete
  on account_two_factors to assay_accounts;
grant select (id, email, email_verified), update (email, email_verified, updated_at) on account_users to assay_accounts;
