-- What a person has put off: out of Triage until a time, or until more is said. A row stays when it has come back, so that the screen can say
-- why it is there again, and goes with the next time that somebody snoozes or wakes the Signal.
create table snoozes (
  workspace_id uuid not null,
  signal_id uuid primary key,
  until timestamptz,
  -- Until so many Signals and repeats are at its claim; of a Signal without one, itself and its repeats.
  until_signals integer check (until_signals > 0),
  snoozed_by text not null,
  snoozed_at timestamptz not null,
  foreign key (workspace_id, signal_id) references signals (workspace_id, id) on delete cascade,
  check ((until is null) <> (until_signals is null))
);
create index snoozes_by_workspace on snoozes (workspace_id, until);
select guard_by_workspace('snoozes');
grant select, insert, update, delete on snoozes to assay_app;
grant select on snoozes to assay_pipeline;

-- How much is said of what a Signal says: the Signals and repeats at its claim, or itself and its repeats.
create function signals_about(signal uuid) returns integer language sql stable as $$
  select greatest(
    1 + (select count(*) from occurrences where signal_id = signal),
    (select max(standings.signals) from claim_evidence join standings on target_id = claim_id where claim_evidence.signal_id = signal)
  )::integer
$$;

-- The Signals in Triage that sleep at a moment.
create function sleeping_signals(moment timestamptz) returns table (signal_id uuid, classification text) language sql stable as $$
  select signals.id, signals.classification
  from snoozes join signals on signals.id = snoozes.signal_id
  where signals.state = 'triage'
    and case when until is null then signals_about(signals.id) < until_signals else until > moment end
$$;

-- A person may say that a Signal repeats another. Its row stays, dismissed, so that this can be taken back; it counts as an occurrence.
alter table occurrences drop constraint occurrences_reason_check;
alter table occurrences add check (reason in ('same_text', 'near_duplicate', 'member'));
grant insert, update, delete on occurrences to assay_app;

-- How many repeats a workspace has: with `signal_counts`, what tells whether the Signals have changed without a look at them.
create table occurrence_counts (
  workspace_id uuid primary key references workspaces (id),
  occurrences integer not null
);
select guard_by_workspace('occurrence_counts');
grant select, insert, update on occurrence_counts to assay_app, assay_pipeline;

create function count_added_occurrences() returns trigger language plpgsql as $$
begin
  insert into occurrence_counts as counts (workspace_id, occurrences)
  select workspace_id, count(*) from added group by workspace_id order by workspace_id
  on conflict (workspace_id) do update set occurrences = counts.occurrences + excluded.occurrences;
  return null;
end
$$;
create trigger added_occurrences_counted after insert on occurrences
  referencing new table as added for each statement execute function count_added_occurrences();

create function count_removed_occurrences() returns trigger language plpgsql as $$
begin
  update occurrence_counts as counts set occurrences = counts.occurrences - removed_of.removed
  from (select workspace_id, count(*) as removed from removed group by workspace_id) as removed_of
  where removed_of.workspace_id = counts.workspace_id;
  return null;
end
$$;
create trigger removed_occurrences_counted after delete on occurrences
  referencing old table as removed for each statement execute function count_removed_occurrences();

-- A repeat that is said to be of somebody else, or of another Signal.
create or replace function repeats_changed() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  select array_agg(added.id) into changed
  from added join removed using (id)
  where added.signal_id <> removed.signal_id
    or evidence_actor(added.actor_key, added.source, added.source_id, added.channel, added.actor_name)
      <> evidence_actor(removed.actor_key, removed.source, removed.source_id, removed.channel, removed.actor_name);
  if changed is null then
    return null;
  end if;
  perform shift_standings(array_agg(targets.workspace_id), array_agg(target_id),
    array_agg(evidence_actor(parts.actor_key, parts.source, parts.source_id, parts.channel, parts.actor_name)),
    array_agg(evidence_weight(parts.signal_origin, parts.occurred_at, parts.received_at) * direction), array_agg(direction),
    array_agg(parts.actor_name), array_agg(parts.source))
  from (
    select removed.*, -1 as direction from removed where id = any (changed)
    union all
    select added.*, 1 from added where id = any (changed)
  ) as parts
  join signals on signals.id = parts.signal_id and signals.state <> 'dismissed'
  cross join lateral targets_of(array[parts.workspace_id], array[parts.signal_id]) as targets;
  return null;
end
$$;

-- A repeat that is none after all.
create function repeats_went() returns trigger language plpgsql as $$
begin
  perform shift_standings(array_agg(targets.workspace_id), array_agg(target_id),
    array_agg(evidence_actor(removed.actor_key, removed.source, removed.source_id, removed.channel, removed.actor_name)),
    array_agg(evidence_weight(removed.signal_origin, removed.occurred_at, removed.received_at) * -1), array_agg(-1),
    array_agg(removed.actor_name), array_agg(removed.source))
  from removed
  join signals on signals.id = removed.signal_id and signals.state <> 'dismissed'
  cross join lateral targets_of(array[removed.workspace_id], array[removed.signal_id]) as targets;
  return null;
end
$$;
create trigger repeats_went after delete on occurrences
  referencing old table as removed for each statement execute function repeats_went();

-- What is there already, of every workspace: the owner is held to row-level security otherwise.
alter table occurrences no force row level security;
alter table occurrence_counts no force row level security;

insert into occurrence_counts (workspace_id, occurrences)
select workspace_id, count(*) from occurrences group by workspace_id;

alter table occurrences force row level security;
alter table occurrence_counts force row level security;
