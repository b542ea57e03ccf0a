-- Where the last change of the map took a signal from: undoing the change puts it back there.
alter table signals
  add column left_node_id uuid,
  add column left_node_score real,
  add column left_node_at timestamptz;
comment on column signals.left_node_id is
  'The node that the signal was at before re_anchor last moved it; null where it was at none. The node may be gone.';
comment on column signals.left_node_score is 'How well it fitted there.';
comment on column signals.left_node_at is 'When re_anchor last moved it; null for never.';
