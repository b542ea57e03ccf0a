-- A node lies below itself, a claim is merged into itself, by no way: who walks up or down one of these tables comes to an end.

-- What is there already in a circle is opened at one of its rows.
with recursive walked as (
  select id as begun, parent_id as reached from map_nodes where parent_id is not null
  union
  select begun, parent_id from walked join map_nodes on map_nodes.id = walked.reached where parent_id is not null
), opened as (
  select begun as id from walked group by begun having bool_or(reached = begun) and min(reached::text) = begun::text
)
-- As a root it must not have the name of another one.
update map_nodes set parent_id = null, name = left(name, 107) || ' ' || right(id::text, 12) where id in (select id from opened);

with recursive walked as (
  select id as begun, merged_into as reached from claims where merged_into is not null
  union
  select begun, merged_into from walked join claims on claims.id = walked.reached where merged_into is not null
), opened as (
  select begun as id from walked group by begun having bool_or(reached = begun) and min(reached::text) = begun::text
)
update claims set merged_into = null where id in (select id from opened);

alter table map_nodes add constraint map_node_not_below_itself check (parent_id <> id);
alter table claims add constraint claim_not_merged_into_itself check (merged_into <> id);

-- The longer circles, and how deep a map may be. Each row on the way up is held: two changes at once that close a circle together wait for
-- each other, and one of them is refused. Both run behind the statement, when all of its rows are there.
create function refuse_node_below_itself() returns trigger language plpgsql as $$
declare
  most constant integer := 100;
  above uuid := new.parent_id;
  levels integer := 1;
  below integer;
begin
  while above is not null loop
    if above = new.id then
      raise exception 'a map node cannot lie below itself' using errcode = '23514', constraint = 'map_node_not_below_itself';
    end if;
    levels := levels + 1;
    if levels > most then
      raise exception 'a map has at most % levels', most using errcode = '23514', constraint = 'map_levels';
    end if;
    select parent_id into above from map_nodes where id = above for share;
  end loop;
  if tg_op = 'INSERT' then return null; end if;
  with recursive lower as (
    select new.id as id, 0 as level
    union all
    select child.id, level + 1
    from lower cross join lateral (select id from map_nodes where parent_id = lower.id offset 0) as child
    where level <= most
  )
  select max(level) into below from lower;
  if levels + below > most then
    raise exception 'a map has at most % levels', most using errcode = '23514', constraint = 'map_levels';
  end if;
  return null;
end
$$;
create trigger node_not_below_itself after insert or update of parent_id on map_nodes
  for each row when (new.parent_id is not null) execute function refuse_node_below_itself();

create function refuse_claim_merged_into_itself() returns trigger language plpgsql as $$
declare
  most constant integer := 1000;
  survivor uuid := new.merged_into;
  merges integer := 0;
begin
  while survivor is not null loop
    merges := merges + 1;
    if survivor = new.id then
      raise exception 'a claim cannot be merged into itself' using errcode = '23514', constraint = 'claim_not_merged_into_itself';
    end if;
    if merges > most then
      raise exception 'a claim lives on by way of at most % others', most using errcode = '23514', constraint = 'claim_merges';
    end if;
    select merged_into into survivor from claims where id = survivor for share;
  end loop;
  return null;
end
$$;
create trigger claim_not_merged_into_itself after insert or update of merged_into on claims
  for each row when (new.merged_into is not null) execute function refuse_claim_merged_into_itself();

-- The walks again, each of which ends whatever the tables hold: `union` takes no row twice, and a path no node that is on it.

create or replace function map_path(node uuid) returns text[] language sql stable as $$
  with recursive upwards as (
    select parent_id, array[name] as path, array[id] as line from map_nodes where id = node
    union all
    select above.parent_id, above.name || upwards.path, above.id || upwards.line
    from upwards cross join lateral (
      select id, parent_id, name from map_nodes where id = upwards.parent_id and id <> all (upwards.line) offset 0
    ) as above
  )
  select path from upwards order by cardinality(line) desc limit 1
$$;

create or replace function map_subtree(node uuid) returns setof uuid language sql stable as $$
  with recursive below as (
    select node as id
    union
    select child.id
    from below cross join lateral (select id from map_nodes where parent_id = below.id offset 0) as child
  )
  select id from below
$$;

create or replace function claim_lineage(claim uuid) returns setof uuid language sql stable as $$
  with recursive lineage as (
    select claim as id
    union
    select merged.id
    from lineage cross join lateral (select id from claims where merged_into = lineage.id offset 0) as merged
  )
  select id from lineage
$$;

create or replace function surviving_claim(claim uuid) returns uuid language sql stable as $$
  with recursive upwards as (
    select id, merged_into from claims where id = claim
    union
    select survivor.id, survivor.merged_into
    from upwards cross join lateral (select id, merged_into from claims where id = upwards.merged_into offset 0) as survivor
  )
  select id from upwards where merged_into is null
$$;
