-- Who empties and fills a sandbox workspace: a role that sees every row of one workspace, may remove it, and sees nothing at all where the
-- workspace is no sandbox.
do $$
begin
  if not exists (select from pg_roles where rolname = 'assay_sandbox') then
    create role assay_sandbox nologin;
  end if;
  grant assay_sandbox to current_user;
end
$$;
grant usage on schema public to assay_sandbox;

create policy sandbox on workspaces for select to assay_sandbox
  using (sandbox and id = nullif(current_setting('assay.workspace_id', true), '')::uuid);
grant select on workspaces to assay_sandbox;

-- The transaction's workspace where it is a sandbox, else null.
create function sandbox_workspace() returns uuid language sql stable as $$
  select id from workspaces where sandbox and id = nullif(current_setting('assay.workspace_id', true), '')::uuid
$$;

create function guard_for_sandbox(guarded regclass) returns void language plpgsql as $$
begin
  execute format(
    'create policy sandbox on %s to assay_sandbox
       using (workspace_id = (select sandbox_workspace())) with check (workspace_id = (select sandbox_workspace()))', guarded);
  execute format('grant select, insert, update, delete on %s to assay_sandbox', guarded);
end
$$;

-- As before, and for the sandbox.
create or replace function guard_by_workspace(guarded regclass) returns void
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', guarded);
  execute format('alter table %s force row level security', guarded);
  execute format(
    'create policy app on %s to assay_app
       using (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))
       with check (workspace_id = (select nullif(current_setting(''assay.workspace_id'', true), '''')::uuid))', guarded);
  execute format(
    'create policy pipeline on %s to assay_pipeline
       using (workspace_id = any ((select nullif(current_setting(''assay.workspace_ids'', true), '''')::uuid[])::uuid[]))
       with check (workspace_id = any ((select nullif(current_setting(''assay.workspace_ids'', true), '''')::uuid[])::uuid[]))', guarded);
  perform guard_for_sandbox(guarded);
end
$$;

-- Who may enter is no sample data, and what belongs to the whole installation is no workspace's.
select guard_for_sandbox(polrelid::regclass)
from pg_policy
where polname = 'app' and polrelid not in ('workspaces'::regclass, 'members'::regclass, 'mcp_keys'::regclass, 'invitations'::regclass)
  and exists (select from pg_attribute where attrelid = polrelid and attname = 'workspace_id');

-- A source is closed, never removed: the edge polls for changes and would not see a row that is gone.
revoke delete on sources from assay_sandbox;
grant select on evidence_parts to assay_sandbox;

-- Removes every row of the transaction's workspace that assay_sandbox may remove, tables first that no other refers to. Among these, tables
-- with triggers go first, while the sums that these keep are still there; what they leave of the sums goes after them.
create function empty_sandbox() returns void language plpgsql as $$
declare
  remaining regclass[] := array(
    select polrelid::regclass from pg_policy
    where polname = 'sandbox' and has_table_privilege('assay_sandbox', polrelid, 'delete')
    order by polrelid::regclass::text);
  free regclass[];
  emptied regclass;
begin
  while cardinality(remaining) > 0 loop
    free := array(
      select candidate from unnest(remaining) as candidate
      where not exists (
        select from pg_constraint
        where contype = 'f' and confrelid = candidate and conrelid <> candidate and conrelid = any (remaining))
      order by not exists (select from pg_trigger where tgrelid = candidate and not tgisinternal), candidate::text);
    if cardinality(free) = 0 then
      raise exception 'These tables refer to each other in a circle: %', remaining;
    end if;
    foreach emptied in array free loop
      execute format('delete from %s where workspace_id = $1', emptied) using sandbox_workspace();
    end loop;
    remaining := array(select kept from unnest(remaining) as kept where kept <> all (free));
  end loop;
end
$$;
