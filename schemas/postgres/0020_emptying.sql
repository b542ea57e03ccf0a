-- How a workspace is emptied: all rows of it that `assay_sandbox` may remove, which the catalogue says, in an order
-- that the foreign keys allow. A new table needs nothing here.

-- Removes up to `most` rows of a workspace from `tables`, first from those that no other of them refers to; answers how
-- many. 0: none of them holds any. Of these, tables with triggers go first, while the sums that they keep are still
-- there.
create function remove_rows_of(emptied uuid, tables regclass[], most integer) returns bigint language plpgsql as $$
declare
  remaining regclass[] := tables;
  free regclass[];
  each regclass;
  below text;
  removed bigint;
  total bigint := 0;
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
      -- Of a table that refers to itself, the rows that no other of it names.
      select string_agg(format('and not exists (select from %s as below where %s)', each, named.pairs), ' ') into below
      from pg_constraint cross join lateral (
        select string_agg(format('below.%I = kept.%I', own.attname, other.attname), ' and ') as pairs
        from unnest(conkey, confkey) as pair (own, other)
        join pg_attribute as own on own.attrelid = conrelid and own.attnum = pair.own
        join pg_attribute as other on other.attrelid = conrelid and other.attnum = pair.other
      ) as named
      where contype = 'f' and conrelid = each and confrelid = each;
      loop
        execute format(
          'delete from %1$s where ctid = any (array(
             select ctid from %1$s as kept where workspace_id = $1 %2$s limit $2))',
          each, coalesce(below, '')) using emptied, most - total;
        get diagnostics removed = row_count;
        total := total + removed;
        if total >= most then
          return total;
        end if;
        exit when removed = 0;
      end loop;
    end loop;
    remaining := array(select kept from unnest(remaining) as kept where kept <> all (free));
  end loop;
  return total;
end
$$;

-- The tables that `assay_sandbox` may remove rows of.
create function sandbox_tables() returns regclass[] language sql stable as $$
  select array_agg(polrelid::regclass order by polrelid::regclass::text) from pg_policy
  where polname = 'sandbox' and has_table_privilege('assay_sandbox', polrelid, 'delete')
$$;

-- Everything of the transaction's workspace, which is a sandbox.
create function empty_sandbox() returns void language sql as $$
  select remove_rows_of(sandbox_workspace(), sandbox_tables(), 2147483647)
$$;

-- Up to `most` rows of the transaction's workspace, which was deleted; answers how many.
create function purge_deleted_workspace(most integer) returns bigint language sql as $$
  select remove_rows_of(
    (select id from workspaces where deleted_at is not null and id = sandbox_workspace()), sandbox_tables(), most)
$$;
