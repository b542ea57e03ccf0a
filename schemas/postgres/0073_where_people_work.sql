-- Who comes back is where they were: the workspace that a person looked at last is kept beside their account.
alter table account_users add column last_workspace_id uuid references workspaces on delete set null;
comment on column account_users.last_workspace_id is
  'The workspace that a page of theirs was open in last: an address that names none leads there, while they are a member of it.';
grant select (last_workspace_id), update (last_workspace_id) on account_users to assay_accounts;

-- What is decided many times a day does not drown the rest. model/decisions/routine.ts says which that is.
alter table decisions add column routine boolean not null default false;
comment on column decisions.routine is
  'Whether it is one of the many of every day, such as a signal that was accepted: lists leave it out unless asked.';
grant update (routine) on decisions to assay_app;
create index decisions_beside_routine on decisions (workspace_id, number) where not routine;

-- Those of before.
update decisions set routine = true
where id in (
  select decision_id from decision_objects
  group by decision_id
  having bool_and(case object_kind
    when 'signal' then change <> '{}'
    when 'claim' then change <> '{}' and (
      change - '{kind,state}'::text[] = '{}'
      or change ?| '{attached_signal,may_merge_with,promoted_signal,promoted_signals,pulled_out,pulled_out_of,refused_merge_with}')
    when 'solution' then change ? 'living_doc'
    else false end)
    -- A claim alone was decided on; with signals it follows them.
    and (bool_or(object_kind = 'signal') or not bool_or(object_kind = 'claim' and change - '{kind,state}'::text[] = '{}')));
