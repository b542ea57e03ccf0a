-- What the sender called an actor and where they wrote: a Solution's explanation names them without a look at the evidence.
alter table evidence_sums add column actor_name text, add column source text;

drop function shift_standings(uuid[], uuid[], text[], double precision[], integer[]);
create function shift_standings(
  workspaces uuid[], targets uuid[], actors_of text[], weights double precision[], counts integer[], names text[], sources text[]
) returns void language plpgsql as $$
begin
  if coalesce(cardinality(targets), 0) = 0 then
    return;
  end if;
  -- Locked in one order before anything is read of them, so that two writers wait for each other instead of losing a part.
  perform from standings where target_id = any (targets) order by target_id for update;

  with delta as (
    select workspace_id, target_id, actor, sum(weight) as weight, sum(signals)::integer as signals,
      max(actor_name) as actor_name, max(source) as source
    from unnest(workspaces, targets, actors_of, weights, counts, names, sources)
      as given (workspace_id, target_id, actor, weight, signals, actor_name, source)
    group by workspace_id, target_id, actor
  ), shifted as (
    insert into evidence_sums as sums (workspace_id, target_id, actor, weight, signals, actor_name, source)
    select workspace_id, target_id, actor, weight, signals, actor_name, source from delta order by target_id, actor
    on conflict (target_id, actor) do update
      set weight = greatest(0, sums.weight + excluded.weight), signals = sums.signals + excluded.signals,
        actor_name = coalesce(sums.actor_name, excluded.actor_name), source = coalesce(sums.source, excluded.source)
    returning target_id, actor, weight, signals
  ), change as (
    select delta.workspace_id, target_id,
      sum(
        case when shifted.signals = 0 then 0 else ln(1 + shifted.weight * decay) end
        - ln(1 + greatest(0, shifted.weight - delta.weight) * decay)
      ) as evidence_priority,
      sum(case when shifted.signals = 0 then -1 when shifted.signals = delta.signals then 1 else 0 end) as actors,
      sum(delta.signals) as signals
    from delta
    join shifted using (target_id, actor)
    left join standings using (target_id)
    cross join lateral evidence_decay(coalesce(as_of, now())) as decay
    group by delta.workspace_id, target_id
  )
  insert into standings as kept (workspace_id, target_id, evidence_priority, as_of, actors, signals)
  select workspace_id, target_id, evidence_priority, now(), actors, signals from change order by target_id
  on conflict (target_id) do update set
    evidence_priority = case when kept.signals + excluded.signals = 0 then 0
      else greatest(0, kept.evidence_priority + excluded.evidence_priority) end,
    actors = kept.actors + excluded.actors,
    signals = kept.signals + excluded.signals;

  if -1 = any (counts) then
    delete from evidence_sums where target_id = any (targets) and signals = 0;
  end if;
end
$$;

-- Signals that targets gained (1) or lost (-1), each with its repeats.
create function shift_signals(workspaces uuid[], targets uuid[], signals_of uuid[], direction integer) returns void language plpgsql as $$
begin
  perform shift_standings(array_agg(workspace_id), array_agg(target_id), array_agg(actor), array_agg(weight * direction),
    array_agg(direction), array_agg(actor_name), array_agg(source))
  from unnest(workspaces, targets, signals_of) as moved (workspace_id, target_id, signal_id)
  -- `offset 0` keeps it a look-up for each signal: a plan that was made while the tables were empty would read them whole ever after.
  cross join lateral (
    select actor, weight, actor_name, source from evidence_parts as parts
    where parts.workspace_id = moved.workspace_id and parts.signal_id = moved.signal_id
    offset 0
  ) as parts;
end
$$;

-- As before, but for the parts: these are found in the one place above.
create or replace function shift_evidence(workspaces uuid[], claims_of uuid[], signals_of uuid[], direction integer) returns void language plpgsql as $$
declare
  shifted record;
begin
  with given as (
    select * from unnest(workspaces, claims_of, signals_of) as given (workspace_id, claim_id, signal_id)
  ), carried as (
    insert into solution_evidence as kept (workspace_id, solution_id, signal_id, claims)
    select given.workspace_id, solution_id, given.signal_id, count(*) * direction
    from given join solution_claims using (workspace_id, claim_id)
    group by given.workspace_id, solution_id, given.signal_id
    order by solution_id, given.signal_id
    on conflict (solution_id, signal_id) do update set claims = kept.claims + excluded.claims
    returning workspace_id, solution_id, signal_id, claims
  ), moved as (
    select workspace_id, claim_id as target_id, signal_id from given
    union all
    -- Only the first claim that has a signal brings it to the Solution, and only the last one takes it away.
    select carried.workspace_id, carried.solution_id, carried.signal_id
    from carried
    where carried.claims = case when direction > 0 then (
        select count(*) from given join solution_claims using (workspace_id, claim_id)
        where solution_claims.solution_id = carried.solution_id and given.signal_id = carried.signal_id
      ) else 0 end
  )
  select array_agg(workspace_id) as workspaces, array_agg(target_id) as targets, array_agg(signal_id) as signals
  into shifted
  from moved;
  if direction < 0 then
    delete from solution_evidence where signal_id = any (signals_of) and workspace_id = any (workspaces) and claims = 0;
  end if;
  perform shift_signals(shifted.workspaces, shifted.targets, shifted.signals, direction);
end
$$;

create or replace function shift_solutions(workspaces uuid[], solutions_of uuid[], claims_of uuid[], direction integer) returns void
  language plpgsql as $$
declare
  shifted record;
begin
  with given as (
    select * from unnest(workspaces, solutions_of, claims_of) as given (workspace_id, solution_id, claim_id)
  ), bearing as (
    select given.workspace_id, solution_id, signal_id, count(*)::integer as claims
    from given join claim_evidence using (workspace_id, claim_id)
    group by given.workspace_id, solution_id, signal_id
  ), carried as (
    insert into solution_evidence as kept (workspace_id, solution_id, signal_id, claims)
    select workspace_id, solution_id, signal_id, claims * direction from bearing order by solution_id, signal_id
    on conflict (solution_id, signal_id) do update set claims = kept.claims + excluded.claims
    returning workspace_id, solution_id, signal_id, claims
  ), moved as (
    select carried.workspace_id, solution_id as target_id, signal_id
    from carried join bearing using (solution_id, signal_id)
    where carried.claims = case when direction > 0 then bearing.claims else 0 end
  )
  select array_agg(workspace_id) as workspaces, array_agg(target_id) as targets, array_agg(signal_id) as signals
  into shifted
  from moved;
  if direction < 0 then
    delete from solution_evidence where solution_id = any (solutions_of) and claims = 0;
  end if;
  perform shift_signals(shifted.workspaces, shifted.targets, shifted.signals, direction);
end
$$;

-- Whatever these signals are evidence of.
drop function targets_of(uuid[]);
create function targets_of(workspaces uuid[], signals_of uuid[]) returns table (workspace_id uuid, target_id uuid, signal_id uuid)
  language sql stable as $$
    select workspace_id, claim_id, signal_id from unnest(workspaces, signals_of) as asked (workspace_id, signal_id)
    join claim_evidence using (workspace_id, signal_id)
    union all
    select workspace_id, solution_id, signal_id from unnest(workspaces, signals_of) as asked (workspace_id, signal_id)
    join solution_evidence using (workspace_id, signal_id)
  $$;

create or replace function repeats_came() returns trigger language plpgsql as $$
begin
  perform shift_standings(array_agg(targets.workspace_id), array_agg(target_id),
    array_agg(evidence_actor(added.actor_key, added.source, added.source_id, added.channel, added.actor_name)),
    array_agg(evidence_weight(added.signal_origin, added.occurred_at, added.received_at)), array_agg(1),
    array_agg(added.actor_name), array_agg(added.source))
  from added
  join signals on signals.id = added.signal_id and signals.state <> 'dismissed'
  join (
    select targets.* from (
      select array_agg(workspace_id) as workspaces, array_agg(signal_id) as signals_of
      from (select distinct workspace_id, signal_id from added) as repeated
    ) as asked cross join targets_of(workspaces, signals_of) as targets
  ) as targets on targets.signal_id = added.signal_id;
  return null;
end
$$;

create or replace function signals_changed() returns trigger language plpgsql as $$
declare
  workspaces uuid[];
  changed uuid[];
begin
  select array_agg(added.workspace_id), array_agg(added.id) into workspaces, changed
  from added join removed using (id)
  where (added.state = 'dismissed') <> (removed.state = 'dismissed')
    or evidence_weight(added.signal_origin, added.occurred_at, added.received_at)
      <> evidence_weight(removed.signal_origin, removed.occurred_at, removed.received_at)
    or evidence_actor(added.actor_key, added.source, added.source_id, added.channel, added.actor_name)
      <> evidence_actor(removed.actor_key, removed.source, removed.source_id, removed.channel, removed.actor_name);
  if changed is null then
    return null;
  end if;
  perform shift_standings(array_agg(targets.workspace_id), array_agg(target_id), array_agg(actor), array_agg(weight * direction),
    array_agg(direction), array_agg(actor_name), array_agg(source))
  from (
    select id as signal_id, evidence_actor(actor_key, source, source_id, channel, actor_name) as actor,
      evidence_weight(signal_origin, occurred_at, received_at) as weight, -1 as direction, actor_name, source
    from removed where id = any (changed) and state <> 'dismissed'
    union all
    select id, evidence_actor(actor_key, source, source_id, channel, actor_name),
      evidence_weight(signal_origin, occurred_at, received_at), 1, actor_name, source
    from added where id = any (changed) and state <> 'dismissed'
    union all
    -- Its repeats go and come with it.
    select signal_id, evidence_actor(repeated.actor_key, repeated.source, repeated.source_id, repeated.channel, repeated.actor_name),
      evidence_weight(repeated.signal_origin, repeated.occurred_at, repeated.received_at),
      case when added.state = 'dismissed' then -1 else 1 end, repeated.actor_name, repeated.source
    from occurrences as repeated
    join added on added.id = repeated.signal_id and added.workspace_id = repeated.workspace_id
    join removed on removed.id = added.id
    where added.id = any (changed) and (added.state = 'dismissed') <> (removed.state = 'dismissed')
  ) as parts
  join targets_of(workspaces, changed) as targets using (signal_id);
  return null;
end
$$;

-- A repeat that is said to be of somebody else.
create function repeats_changed() returns trigger language plpgsql as $$
declare
  changed uuid[];
begin
  select array_agg(added.id) into changed
  from added join removed using (id)
  join signals on signals.id = added.signal_id and signals.state <> 'dismissed'
  where evidence_actor(added.actor_key, added.source, added.source_id, added.channel, added.actor_name)
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
  cross join lateral targets_of(array[parts.workspace_id], array[parts.signal_id]) as targets;
  return null;
end
$$;
create trigger repeats_changed after update on occurrences
  referencing old table as removed new table as added for each statement execute function repeats_changed();

-- What is there already, of every workspace: the owner is held to row-level security otherwise.
alter table signals no force row level security;
alter table occurrences no force row level security;
alter table claim_evidence no force row level security;
alter table solution_evidence no force row level security;
alter table evidence_sums no force row level security;

update evidence_sums as sums set actor_name = named.actor_name, source = named.source
from (
  select target_id, actor, max(actor_name) as actor_name, max(source) as source
  from (
    select workspace_id, claim_id as target_id, signal_id from claim_evidence
    union all
    select workspace_id, solution_id, signal_id from solution_evidence
  ) as targets
  join evidence_parts using (workspace_id, signal_id)
  group by target_id, actor
) as named
where named.target_id = sums.target_id and named.actor = sums.actor;

alter table signals force row level security;
alter table occurrences force row level security;
alter table claim_evidence force row level security;
alter table solution_evidence force row level security;
alter table evidence_sums force row level security;
