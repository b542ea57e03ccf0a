-- Who writes everything of a workspace into an export, and reads an export into an empty workspace. It sees one workspace, as the app does,
-- and takes no part in anything else.
do $$
begin
  if not exists (select from pg_roles where rolname = 'assay_transfer') then
    create role assay_transfer nologin;
  end if;
  grant assay_transfer to current_user;
  grant usage on schema public to assay_transfer;
end
$$;

create function let_transfers(guarded regclass) returns void language plpgsql as $$
begin
  execute format(
    'create policy transfer on %s to assay_transfer
       using (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))
       with check (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))', guarded);
  -- All of it, because the tables' triggers change other tables for whoever writes.
  execute format('grant select, insert, update, delete on %s to assay_transfer', guarded);
end
$$;

-- As before, and open to exports: model/transfers/workspace/tables.ts says of every table whether it is in them.
alter function guard_by_workspace(regclass) rename to guard_against_other_workspaces;
create function guard_by_workspace(guarded regclass) returns void language plpgsql as $$
begin
  perform guard_against_other_workspaces(guarded);
  perform let_transfers(guarded);
end
$$;

do $$
declare
  guarded record;
begin
  for guarded in
    select distinct attrelid::regclass as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'workspace_id' and not attisdropped
      -- Who may enter, and what the programs keep for themselves.
      and relname not in ('members', 'mcp_keys', 'invitations', 'idempotent_answers', 'dead_letters', 'last_looks')
  loop
    perform let_transfers(guarded.name);
  end loop;
end
$$;

grant select on evidence_parts to assay_transfer;

-- An id of an import differs from the export's in its last 48 bits, by this mask: an export may be imported beside the workspace that it is of,
-- and an export of what was imported has the ids of the first one again.
alter table workspaces add column id_mask bigint not null default 0 check (id_mask between 0 and 281474976710655);
create policy transfer on workspaces to assay_transfer
  using (id = (select nullif(current_setting('assay.workspace_id', true), '')::uuid))
  with check (id = (select nullif(current_setting('assay.workspace_id', true), '')::uuid));
grant select, update on workspaces to assay_transfer;
