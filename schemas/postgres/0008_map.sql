create table map_nodes (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  parent_id uuid,
  name text not null check (length(name) between 1 and 120),
  description text not null default '' check (length(description) <= 4000),
  examples text[] not null default '{}',
  search tsvector not null generated always as (
    to_tsvector('simple', name || ' ' || description || ' ' || left(joined_texts(examples), 20000))
  ) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id),
  foreign key (workspace_id, parent_id) references map_nodes (workspace_id, id),
  constraint map_node_not_below_itself check (parent_id <> id)
);
comment on table map_nodes is 'The tree of the product''s parts.';
comment on column map_nodes.parent_id is 'The node above; null for a root.';
comment on column map_nodes.examples is 'What people say of this part, in their words: texts by which signals find it.';
create unique index map_nodes_by_name on map_nodes (workspace_id, coalesce(parent_id, id), lower(name))
  where parent_id is not null;
create unique index map_roots_by_name on map_nodes (workspace_id, lower(name)) where parent_id is null;
create index map_nodes_by_parent on map_nodes (workspace_id, parent_id);
select guard_by_workspace('map_nodes');
select make_searchable('map_nodes');
grant select, insert, update, delete on map_nodes to assay_app;
grant select on map_nodes to assay_pipeline;

create table map_node_vectors (
  workspace_id uuid not null,
  node_id uuid not null,
  ordinal integer not null,
  model text not null,
  embedding vector(1024) not null,
  primary key (node_id, model, ordinal),
  foreign key (workspace_id, node_id) references map_nodes (workspace_id, id) on delete cascade
);
comment on table map_node_vectors is
  'What a node means, as a model embeds it. A node is as near as the nearest of its texts.';
comment on column map_node_vectors.ordinal is 'Which text: 0 is name and description, the examples follow.';
create index map_node_vectors_by_workspace on map_node_vectors (workspace_id, model);
select guard_by_workspace('map_node_vectors', looked_up_by_index => true);
grant select, insert, delete on map_node_vectors to assay_app, assay_pipeline;

create table map_revisions (
  workspace_id uuid primary key references workspaces (id),
  revision integer not null default 0,
  anchored integer not null default 0
);
comment on table map_revisions is
  'How often a workspace''s map changed. Whoever changes the map, or stores what was made from it, locks the row '
  'until the transaction ends.';
comment on column map_revisions.anchored is 'The revision by which the signals were last anchored, all of them.';
select guard_by_workspace('map_revisions');
grant select, insert, update on map_revisions to assay_app, assay_pipeline;

-- No way leads to a node that lies below itself. The check of the table refuses the circle of one; this trigger refuses
-- the longer ones, and a map that is too deep. Each row on the way up is locked: two changes at once that close a
-- circle together wait for each other, and one of them is refused. It runs behind the statement, when all of its rows
-- are there.
create function refuse_node_below_itself() returns trigger language plpgsql as $$
declare
  most constant integer := 100;
  above uuid := new.parent_id;
  levels integer := 1;
  below integer;
begin
  while above is not null loop
    if above = new.id then
      raise exception 'a map node cannot lie below itself'
        using errcode = '23514', constraint = 'map_node_not_below_itself';
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

-- These two walk by index, row by row: `offset 0` keeps the planner, which knows little of tables that have just grown,
-- from reading a whole workspace for a handful of rows. Each ends whatever the table holds: `union` takes no row twice,
-- and a path no node that is on it.

-- The names from the root to the node itself.
create function map_path(node uuid) returns text[] language sql stable as $$
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

-- The node and all that is below it.
create function map_subtree(node uuid) returns setof uuid language sql stable as $$
  with recursive below as (
    select node as id
    union
    select child.id
    from below cross join lateral (select id from map_nodes where parent_id = below.id offset 0) as child
  )
  select id from below
$$;
