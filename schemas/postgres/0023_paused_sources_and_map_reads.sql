-- A paused source is known to the edge, which has its senders come back later.
alter table sources
  add column paused_at timestamptz,
  add column version integer not null default 1;

-- What is anchored to a node, the newest first: counted for the map, and cleared when the node goes.
create index signals_by_node on signals (workspace_id, node_id, number desc) where node_id is not null;

-- The names from the root to the node itself.
create function map_path(node uuid) returns text[] language sql stable as $$
  with recursive upwards as (
    select parent_id, array[name] as path from map_nodes where id = node
    union all
    select above.parent_id, above.name || upwards.path
    from upwards cross join lateral (select parent_id, name from map_nodes where id = upwards.parent_id offset 0) as above
  )
  select path from upwards where parent_id is null
$$;

-- The node and all that is below it.
create function map_subtree(node uuid) returns setof uuid language sql stable as $$
  with recursive below as (
    select node as id
    union all
    select child.id
    from below cross join lateral (select id from map_nodes where parent_id = below.id offset 0) as child
  )
  select id from below
$$;
create index map_nodes_by_parent on map_nodes (workspace_id, parent_id);

-- Whether activity of the workspace waits for the processors, which relay it.
grant select (workspace_id, created_at) on outbox to assay_app;
create index outbox_by_age on outbox (workspace_id, created_at);
