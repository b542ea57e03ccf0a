-- Mails that the installation sends wait here until a mail server has taken them.

create table outgoing_mail (
  id uuid primary key,
  kind text not null check (kind in ('password_reset', 'password_changed', 'verification', 'invitation')),
  recipient text not null check (recipient ~ '^[0-9a-f]{64}$'),
  sealed bytea,
  asked_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  not_before timestamptz not null default now(),
  leased_until timestamptz,
  lease_id uuid,
  tries integer not null default 0,
  failing_since timestamptz,
  reason text,
  ended text check (ended in ('sent', 'refused', 'expired')),
  ended_at timestamptz,
  check ((ended is null) = (ended_at is null)),
  check ((ended is null) = (sealed is not null))
);
comment on table outgoing_mail is
  'Mails to be sent. A program holds one by its lease while it speaks to the mail server. What was sent stays for a day '
  'without its words, so that nobody is sent too much.';
comment on column outgoing_mail.recipient is 'A keyed pseudonym of the address, in hex.';
comment on column outgoing_mail.sealed is 'What to say to which address, sealed with the installation''s key.';
comment on column outgoing_mail.asked_by is 'The account that had it sent, where one did.';
comment on column outgoing_mail.not_before is 'The earliest moment of its next try.';
comment on column outgoing_mail.failing_since is 'When the first of its tries failed.';
comment on column outgoing_mail.reason is 'Why the last try failed, without names and addresses.';
-- However often somebody asks, one waits.
create unique index outgoing_mail_one_reset on outgoing_mail (recipient)
  where ended is null and kind = 'password_reset';
create index outgoing_mail_waiting on outgoing_mail (not_before) where ended is null;
create index outgoing_mail_by_recipient on outgoing_mail (recipient, created_at);
grant select, insert, update, delete on outgoing_mail to assay_accounts;

-- A link to set a new password is a row of better-auth's, under the hash of its token.
grant select, insert, delete on account_verifications to assay_accounts;

alter table account_users add column must_verify boolean not null default false;
comment on column account_users.must_verify is
  'Whether the account may sign in only once its address is verified, as it was made while that was asked for.';
grant select (email_verified, must_verify), update (email_verified) on account_users to assay_accounts;

alter table administration_changes drop constraint administration_changes_change_check;
alter table administration_changes add constraint administration_changes_change_check check (
  change in (
    'made_administrator', 'administrator_no_more', 'disabled', 'enabled', 'password_reset', 'reset_link_made',
    'address_verified', 'account_deleted'));
