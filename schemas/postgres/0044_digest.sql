-- A digest: what changed in a workspace, by mail, for the members who want it. See `query-api/mail/digests.ts`.

alter table members add column digest text not null default 'never' check (digest in ('never', 'daily', 'weekly'));
alter table members add column digest_through timestamptz;
comment on column members.digest is 'How often this person is told by mail what changed in the workspace.';
comment on column members.digest_through is
  'Until when they were told; the next mail begins here. Whoever moves it on, and nobody else, sends the mail.';
create index members_with_digest on members (digest_through) where digest <> 'never';

alter table outgoing_mail drop constraint outgoing_mail_kind_check;
alter table outgoing_mail add constraint outgoing_mail_kind_check check (kind in (
  'password_reset', 'password_changed', 'verification', 'invitation', 'address_changed', 'sign_in_changed', 'digest'));
