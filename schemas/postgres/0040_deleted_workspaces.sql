-- A workspace whose only member deleted their account. Nobody enters it any more; what it holds is removed in parts, until nothing can
-- still be on its way to it (see query-api/accounts/purge-deleted-workspaces.ts).
alter table workspaces
  add column deleted_at timestamptz,
  add column emptied_at timestamptz,
  add check (emptied_at is null or deleted_at is not null);
create index workspaces_to_empty on workspaces (deleted_at) where deleted_at is not null and emptied_at is null;

-- Who empties a sandbox empties these too.
drop policy sandbox on workspaces;
create policy sandbox on workspaces for select to assay_sandbox
  using ((sandbox or deleted_at is not null) and id = nullif(current_setting('assay.workspace_id', true), '')::uuid);
create or replace function sandbox_workspace() returns uuid language sql stable as $$
  select id from workspaces
  where (sandbox or deleted_at is not null) and id = nullif(current_setting('assay.workspace_id', true), '')::uuid
$$;

-- Whoever deletes an account closes the sources of what goes with it.
create policy accounts on sources to assay_accounts using (true) with check (true);
grant select (workspace_id, deleted_at), update (deleted_at, changed_at) on sources to assay_accounts;
grant update (name) on tenants to assay_accounts;

-- Removes up to `most` rows of the transaction's workspace, from a table that no other with rows refers to; answers how many. 0: it holds
-- nothing. A table that refers to itself goes at once, as a part of it could be what the rest refers to.
create function empty_deleted_workspace(most integer) returns bigint language plpgsql as $$
declare
  emptied uuid := (select id from workspaces where deleted_at is not null and id = sandbox_workspace());
  remaining regclass[] := array(
    select polrelid::regclass from pg_policy
    where polname = 'sandbox' and has_table_privilege('assay_sandbox', polrelid, 'delete')
    order by polrelid::regclass::text);
  free regclass[];
  each regclass;
  of_itself boolean;
  removed bigint;
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
    foreach each in array free loop
      of_itself := exists (select from pg_constraint where contype = 'f' and confrelid = each and conrelid = each);
      execute format(
        case when of_itself then 'delete from %1$s where workspace_id = $1'
        else 'delete from %1$s where ctid = any (array(select ctid from %1$s where workspace_id = $1 limit $2))' end, each)
        using emptied, most;
      get diagnostics removed = row_count;
      if removed > 0 then
        return removed;
      end if;
    end loop;
    remaining := array(select kept from unnest(remaining) as kept where kept <> all (free));
  end loop;
  return 0;
end
$$;
