-- Who did what to accounts, keys, sources, roles and settings, and who signed in. Rows are added and nothing else.

create table audit_log (
  id uuid primary key,
  at timestamptz not null default now(),
  workspace_id uuid,
  action text not null check (length(action) between 1 and 80),
  by_kind text not null check (by_kind in ('person', 'key', 'operator', 'installation', 'nobody')),
  by_id uuid,
  by_name text not null default '',
  key_label text,
  subject_id text,
  subject text,
  detail jsonb not null default '{}',
  client_address text,
  check ((by_kind = 'key') = (key_label is not null))
);
comment on table audit_log is
  'What was done to accounts, keys, sources, roles and settings, and who signed in. It outlives accounts and workspaces; '
  'names are as they were then.';
comment on column audit_log.workspace_id is 'Null: of the installation.';
comment on column audit_log.action is 'An operation, or what happened to an account.';
comment on column audit_log.by_kind is
  'Who did it: a person, a key of theirs, the operator''s command line, the installation itself, or nobody who is known.';
comment on column audit_log.subject_id is 'What it was done to.';
comment on column audit_log.subject is 'The name that its team or its owner gave it; nothing that a sender said.';
comment on column audit_log.client_address is 'Where the request of a sign-in came from.';
create index audit_log_by_time on audit_log (at desc, id desc);
create index audit_log_by_person on audit_log (by_id, at desc);
create index audit_log_by_subject on audit_log (subject_id, at desc);

-- A transaction of a workspace adds what it did there, and reads nothing.
select guard_against_other_workspaces('audit_log');
create policy accounts on audit_log to assay_accounts using (true) with check (true);
create policy own_records on audit_log for insert to assay_sandbox
  with check (workspace_id = (select sandbox_workspace()));
grant insert on audit_log to assay_app, assay_sandbox;
grant select, insert on audit_log to assay_accounts;

-- Nobody has the right to change a row or to take one away; nor does whoever owns the table, by mistake.
create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is added to and nothing else.' using errcode = '23514', constraint = 'audit_log_is_kept';
end
$$;
create trigger audit_log_is_kept before update or delete or truncate on audit_log
  for each statement execute function refuse_change_of_audit_log();

-- What was recorded so far. A version before this one goes on with the table of its own, which is copied here.
create function copy_administration_change() returns trigger language plpgsql as $$
begin
  insert into audit_log (id, at, action, by_kind, by_id, by_name, subject_id, subject)
  values (
    new.id, new.at, new.change,
    case when new.by_id is not null then 'person' when new.by_name = 'the operator' then 'operator' else 'installation' end,
    new.by_id, case when new.by_id is null then '' else new.by_name end, new.account_id::text, new.account_name);
  return null;
end
$$;
create trigger copy_administration_change after insert on administration_changes
  for each row execute function copy_administration_change();
insert into audit_log (id, at, action, by_kind, by_id, by_name, subject_id, subject)
select id, at, change,
  case when by_id is not null then 'person' when by_name = 'the operator' then 'operator' else 'installation' end,
  by_id, case when by_id is null then '' else by_name end, account_id::text, account_name
from administration_changes;

comment on table administration_changes is 'Written by earlier versions; what is in it is in audit_log too.';

create or replace function administer_first() returns trigger language plpgsql as $$
begin
  if exists (select from administrators) then
    return null;
  end if;
  insert into administrators (user_id) values (new.id);
  insert into audit_log (id, action, by_kind, subject_id, subject)
  values (gen_random_uuid(), 'made_administrator', 'installation', new.id::text, new.name);
  return null;
end
$$;

alter table outgoing_mail drop constraint outgoing_mail_kind_check;
alter table outgoing_mail add constraint outgoing_mail_kind_check check (kind in (
  'password_reset', 'password_changed', 'verification', 'invitation', 'address_changed', 'sign_in_changed'));
