-- How many Signals a workspace has of each state and classification, so that nobody counts them all to say so.
create table signal_counts (
  workspace_id uuid not null references workspaces (id),
  state text not null,
  classification text not null,
  signals integer not null,
  primary key (workspace_id, state, classification)
);
select guard_by_workspace('signal_counts');
grant select, insert, update on signal_counts to assay_app, assay_pipeline;

create function count_added_signals() returns trigger language plpgsql as $$
begin
  insert into signal_counts as counts (workspace_id, state, classification, signals)
  select workspace_id, state, classification, count(*) from added
  group by workspace_id, state, classification
  order by workspace_id, state, classification
  on conflict (workspace_id, state, classification) do update set signals = counts.signals + excluded.signals;
  return null;
end
$$;
create function count_changed_signals() returns trigger language plpgsql as $$
begin
  insert into signal_counts as counts (workspace_id, state, classification, signals)
  select workspace_id, state, classification, sum(change)
  from (
    select workspace_id, state, classification, 1 as change from added
    union all
    select workspace_id, state, classification, -1 from removed
  ) as changes
  group by workspace_id, state, classification
  having sum(change) <> 0
  order by workspace_id, state, classification
  on conflict (workspace_id, state, classification) do update set signals = counts.signals + excluded.signals;
  return null;
end
$$;
create trigger added_signals_counted after insert on signals
  referencing new table as added for each statement execute function count_added_signals();
create trigger changed_signals_counted after update on signals
  referencing old table as removed new table as added for each statement execute function count_changed_signals();

-- What is there already, of every workspace: the owner is held to row-level security otherwise.
alter table signals no force row level security;
alter table signal_counts no force row level security;

insert into signal_counts (workspace_id, state, classification, signals)
select workspace_id, state, classification, count(*) from signals group by workspace_id, state, classification;

alter table signals force row level security;
alter table signal_counts force row level security;
