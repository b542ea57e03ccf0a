-- Lists of Signals and figures over time go by when a Signal happened: when its sender says, but never after it was
-- received. What is imported stands at its own time, not at the top.

drop index signals_by_state;
create index signals_by_state
  on signals (workspace_id, state, (least(occurred_at, received_at)) desc, number desc);
drop index signals_by_node;
create index signals_by_node
  on signals (workspace_id, node_id, (least(occurred_at, received_at)) desc, number desc) where node_id is not null;

-- Filters by the sender's own word for where a Signal comes from, and by the source that took it.
create index signals_by_source
  on signals (workspace_id, source, (least(occurred_at, received_at)) desc) where source is not null;
create index signals_by_source_id
  on signals (workspace_id, source_id, (least(occurred_at, received_at)) desc) where source_id is not null;
