create table metric_points (
  id uuid primary key,
  workspace_id uuid not null,
  metric_id uuid not null,
  value double precision not null check (value between '-1.7976931348623157e308' and '1.7976931348623157e308'),
  occurred_at timestamptz not null,
  dated boolean not null,
  received_at timestamptz not null,
  log_partition integer not null,
  log_offset bigint not null,
  logged_at timestamptz not null,
  revision integer not null default 1,
  foreign key (workspace_id, metric_id) references sources (workspace_id, id)
);
comment on table metric_points is
  'One value of a metric, with its time. A metric is a source of kind `metric`; its points are what that was sent.';
comment on column metric_points.dated is
  'False when no sender has said when: then it occurred when it was first received.';
comment on column metric_points.received_at is
  'When the point was first received: of two points of one instant, the one that came later is the newer.';
comment on column metric_points.log_partition is
  'Where on the log its value is from: what is earlier there changes nothing.';
comment on column metric_points.revision is
  'Counts the values that it has had; ClickHouse keeps the row with the highest.';
create index metric_points_newest on metric_points
  (workspace_id, metric_id, occurred_at desc, received_at desc, id desc);
select guard_by_workspace('metric_points');
grant select on metric_points to assay_app;
grant select, insert, update on metric_points to assay_pipeline;

create table metric_bindings (
  workspace_id uuid not null,
  node_id uuid not null,
  metric_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  direction text not null check (direction in ('up_is_good', 'down_is_good')),
  target double precision,
  created_at timestamptz not null default now(),
  primary key (node_id, metric_id),
  foreign key (workspace_id, node_id) references map_nodes (workspace_id, id) on delete cascade,
  foreign key (workspace_id, metric_id) references sources (workspace_id, id)
);
comment on table metric_bindings is 'The tie of a metric to a map node.';
comment on column metric_bindings.name is
  'What the metric says about this node; the metric''s own name where nobody gave one.';
create index metric_bindings_by_metric on metric_bindings (workspace_id, metric_id);
select guard_by_workspace('metric_bindings');
grant select, insert, update, delete on metric_bindings to assay_app;
