create table map_nodes (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  parent_id uuid,
  name text not null check (length(name) between 1 and 120),
  description text not null default '' check (length(description) <= 4000),
  examples text[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id),
  foreign key (workspace_id, parent_id) references map_nodes (workspace_id, id)
);
create unique index map_nodes_by_name on map_nodes (workspace_id, coalesce(parent_id, id), lower(name))
  where parent_id is not null;
create unique index map_roots_by_name on map_nodes (workspace_id, lower(name)) where parent_id is null;
select guard_by_workspace('map_nodes');
grant select, insert, update, delete on map_nodes to assay_app;
grant select on map_nodes to assay_pipeline;

-- A node is as near as the nearest of its texts: ordinal 0 is name and description, the examples follow.
create table map_node_vectors (
  workspace_id uuid not null,
  node_id uuid not null,
  ordinal integer not null,
  model text not null,
  embedding vector(1024) not null,
  primary key (node_id, model, ordinal),
  foreign key (workspace_id, node_id) references map_nodes (workspace_id, id) on delete cascade
);
create index map_node_vectors_by_workspace on map_node_vectors (workspace_id, model);
select guard_by_workspace('map_node_vectors');
grant select, insert, delete on map_node_vectors to assay_app;
grant select on map_node_vectors to assay_pipeline;
