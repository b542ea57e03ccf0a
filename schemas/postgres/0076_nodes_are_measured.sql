-- How near any signal of a workspace is to a node of its map: what stands out of that belongs there. See
-- `model/map/measure-nodes.ts`.

alter table map_revisions
  add column model text,
  add column mean vector(1024),
  add column measured_number integer not null default 0;
comment on column map_revisions.model is 'The model whose vectors the nodes were measured by; null before they were.';
comment on column map_revisions.mean is
  'What the workspace''s signals have in common under that model; null while they are too few to tell.';
comment on column map_revisions.measured_number is 'The newest signal''s number when the nodes were measured; 0 before.';

alter table map_nodes
  add column middle real,
  add column spread real;
comment on column map_nodes.middle is
  'The cosine that any signal of the workspace has with the node without what all have in common; null: not measured.';
comment on column map_nodes.spread is 'One step of such a cosine; null: not measured.';
grant update (middle, spread) on map_nodes to assay_pipeline;
