-- The repeats of a Signal go by when they happened, as Signals do: what was imported stands at its own time.

drop index occurrences_by_signal;
create index occurrences_by_signal
  on occurrences (workspace_id, signal_id, (least(occurred_at, received_at)), id);
