-- What the board and the claims are ordered by, kept as evidence comes and goes, so that a page is read without looking
-- at the evidence. The idea, which the tables and triggers below only carry out:
--
-- * A signal weighs origin * 0.5 ^ (age in days / 90). An actor weighs what their signals and occurrences weigh
--   together, w. The evidence priority of a claim or a Solution (a target) is the sum of ln(1 + w) over its actors.
-- * The weight factorizes: into the weight as of one fixed moment, the epoch (the begin of 2024), and one factor for
--   everything that says how long ago that is. So `actor_weights` keeps each actor's w as of the epoch, and time alone
--   changes no row of it.
-- * `priority_totals` keeps the sum of the logarithms as of a moment of its own. With time it only falls, and never
--   faster than the weights do. That bounds what it is now, and only targets whose bounds overlap have to be compared
--   exactly. `refresh_priority_totals` brings the oldest up to now, because bounds become wider with age.
-- * A Solution has the distinct signals of its claims: `solution_evidence` counts by how many claims each one comes.
--
-- Who changes what: a trigger for each event finds which signals came to which targets, or went from them (direction 1
-- or -1); `add_signals_to_totals` finds the weights of these signals; `add_to_priority_totals` alone writes
-- `actor_weights` and `priority_totals`.
--
--   claim_evidence   gains or loses a row     add_evidence_to_totals    the claim, and the Solutions that answer it
--   solution_claims  gains or loses a row     add_solutions_to_totals   the Solution
--   occurrences      come, go or change       occurrences_...           the targets of their signal
--   signals          dismissed, taken back,   signals_changed           the targets of the signal
--                    or of another actor

create function origin_weight(signal_origin text) returns double precision language sql immutable parallel safe as $$
  select case signal_origin
    when 'customer' then 1 when 'operational' then 0.7 when 'internal' then 0.4
  end::double precision
$$;

-- As of the epoch. Nothing happens after it was received: who claims so weighs as of then.
create function evidence_weight(signal_origin text, occurred_at timestamptz, received_at timestamptz)
  returns double precision language sql immutable parallel safe as $$
    select origin_weight(signal_origin)
      * 2 ^ (
        extract(epoch from least(occurred_at, received_at) - '2024-01-01 00:00:00+00'::timestamptz)::double precision
        / 86400 / 90)
  $$;

-- What a weight of the epoch is worth at a moment.
create function evidence_decay(moment timestamptz) returns double precision language sql immutable parallel safe as $$
  select 0.5 ^ (extract(epoch from moment - '2024-01-01 00:00:00+00'::timestamptz)::double precision / 86400 / 90)
$$;

-- One person is one actor wherever their address is known; else whoever a source calls by one name.
create function evidence_actor(actor_key text, source text, source_id uuid, channel text, actor_name text) returns text
  language sql immutable parallel safe as $$
    select coalesce(actor_key, coalesce(source, source_id::text, channel) || coalesce(chr(31) || actor_name, ''))
  $$;

create view weighted_evidence with (security_invoker = true) as
  select workspace_id, id as signal_id, evidence_actor(actor_key, source, source_id, channel, actor_name) as actor,
    evidence_weight(signal_origin, occurred_at, received_at) as weight, actor_name, source
  from signals where state <> 'dismissed'
  union all
  select repeated.workspace_id, repeated.signal_id,
    evidence_actor(repeated.actor_key, repeated.source, repeated.source_id, repeated.channel, repeated.actor_name),
    evidence_weight(repeated.signal_origin, repeated.occurred_at, repeated.received_at),
    repeated.actor_name, repeated.source
  from occurrences as repeated join signals on signals.id = repeated.signal_id
  where signals.state <> 'dismissed';
comment on view weighted_evidence is 'What counts of each signal: itself and its occurrences, unless it was dismissed.';
grant select on weighted_evidence to assay_app, assay_pipeline, assay_sandbox, assay_transfer;

create table solution_evidence (
  workspace_id uuid not null,
  solution_id uuid not null,
  signal_id uuid not null,
  claims integer not null,
  primary key (solution_id, signal_id),
  foreign key (workspace_id, solution_id) references solutions (workspace_id, id)
);
comment on table solution_evidence is 'The distinct signals behind a Solution.';
comment on column solution_evidence.claims is 'How many of its claims have the signal.';
create index solution_evidence_by_signal on solution_evidence (workspace_id, signal_id);
select guard_by_workspace('solution_evidence');
grant select, insert, update, delete on solution_evidence to assay_app, assay_pipeline;

create table actor_weights (
  workspace_id uuid not null,
  target_id uuid not null,
  actor text not null,
  weight double precision not null,
  signals integer not null,
  actor_name text,
  source text,
  primary key (target_id, actor)
);
comment on table actor_weights is 'Each actor behind a claim or a Solution, with the sum of their weights.';
comment on column actor_weights.target_id is 'A claim''s or a Solution''s id.';
comment on column actor_weights.weight is 'As of the epoch.';
comment on column actor_weights.signals is 'How many signals and occurrences it is made of.';
comment on column actor_weights.actor_name is
  'What the sender called the actor, and where they wrote: an explanation names them without a look at the '
  'evidence.';
select guard_by_workspace('actor_weights');
grant select, insert, update, delete on actor_weights to assay_app, assay_pipeline;

create table priority_totals (
  workspace_id uuid not null,
  target_id uuid primary key,
  evidence_priority double precision not null default 0,
  as_of timestamptz not null,
  actors integer not null default 0,
  signals integer not null default 0
);
comment on table priority_totals is 'What a claim or a Solution is ordered by.';
comment on column priority_totals.target_id is 'A claim''s or a Solution''s id.';
comment on column priority_totals.evidence_priority is 'The sum of ln(1 + weight) over its actors, as of `as_of`.';
create index priority_totals_by_age on priority_totals using brin (as_of);
create index priority_totals_by_priority on priority_totals (workspace_id, evidence_priority desc);
select guard_by_workspace('priority_totals');
grant select, insert, update on priority_totals to assay_app, assay_pipeline;

-- Adds what came to the sums and takes what went (a negative number of signals), and moves the
-- totals with them.
create function add_to_priority_totals(
  workspaces uuid[], targets uuid[], actors_of text[], weights double precision[], counts integer[],
  names text[], sources text[]
) returns void language plpgsql as $$
begin
  if coalesce(cardinality(targets), 0) = 0 then
    return;
  end if;
  -- Locked in one order before anything is read of them, so that two writers wait for each other instead of losing
  -- a part.
  perform from priority_totals where target_id = any (targets) order by target_id for update;

  with delta as (
    select workspace_id, target_id, actor, sum(weight) as weight, sum(signals)::integer as signals,
      max(actor_name) as actor_name, max(source) as source
    from unnest(workspaces, targets, actors_of, weights, counts, names, sources)
      as given (workspace_id, target_id, actor, weight, signals, actor_name, source)
    group by workspace_id, target_id, actor
  ), shifted as (
    insert into actor_weights as sums (workspace_id, target_id, actor, weight, signals, actor_name, source)
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
    left join priority_totals using (target_id)
    cross join lateral evidence_decay(coalesce(as_of, now())) as decay
    group by delta.workspace_id, target_id
  )
  insert into priority_totals as kept (workspace_id, target_id, evidence_priority, as_of, actors, signals)
  select workspace_id, target_id, evidence_priority, now(), actors, signals from change order by target_id
  on conflict (target_id) do update set
    evidence_priority = case when kept.signals + excluded.signals = 0 then 0
      else greatest(0, kept.evidence_priority + excluded.evidence_priority) end,
    actors = kept.actors + excluded.actors,
    signals = kept.signals + excluded.signals;

  if -1 = any (counts) then
    delete from actor_weights where target_id = any (targets) and signals = 0;
  end if;
end
$$;

-- Brings the oldest totals of the transaction's workspaces up to now, at most so many.
create function refresh_priority_totals(older_than timestamptz, at_most integer) returns integer language sql as $$
  with old as (
    select target_id from priority_totals where as_of < older_than order by as_of limit at_most for update
  ), renewed as (
    update priority_totals set as_of = now(), evidence_priority = coalesce((
      select sum(ln(1 + weight * evidence_decay(now())))
      from actor_weights where actor_weights.target_id = priority_totals.target_id), 0)
    from old where old.target_id = priority_totals.target_id
    returning 1
  )
  select count(*)::integer from renewed
$$;

-- Signals that targets gained (1) or lost (-1), each with its occurrences.
create function add_signals_to_totals(workspaces uuid[], targets uuid[], signals_of uuid[], direction integer)
  returns void language plpgsql as $$
begin
  perform add_to_priority_totals(
    array_agg(workspace_id), array_agg(target_id), array_agg(actor), array_agg(weight * direction),
    array_agg(direction), array_agg(actor_name), array_agg(source))
  from unnest(workspaces, targets, signals_of) as moved (workspace_id, target_id, signal_id)
  -- `offset 0` keeps it a look-up for each signal: a plan that was made while the tables were empty would read all of
  -- them ever after.
  cross join lateral (
    select actor, weight, actor_name, source from weighted_evidence as parts
    where parts.workspace_id = moved.workspace_id and parts.signal_id = moved.signal_id
    offset 0
  ) as parts;
end
$$;

-- Signals that claims gained (1) or lost (-1), for the claims themselves and for the Solutions that answer them.
create function add_evidence_to_totals(workspaces uuid[], claims_of uuid[], signals_of uuid[], direction integer)
  returns void language plpgsql as $$
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
  perform add_signals_to_totals(shifted.workspaces, shifted.targets, shifted.signals, direction);
end
$$;

create function claims_gained_evidence() returns trigger language plpgsql as $$
begin
  perform add_evidence_to_totals(array_agg(workspace_id), array_agg(claim_id), array_agg(signal_id), 1) from added;
  return null;
end
$$;
create trigger evidence_gained after insert on claim_evidence
  referencing new table as added for each statement execute function claims_gained_evidence();

create function claims_lost_evidence() returns trigger language plpgsql as $$
begin
  perform add_evidence_to_totals(array_agg(workspace_id), array_agg(claim_id), array_agg(signal_id), -1) from removed;
  return null;
end
$$;
create trigger evidence_lost after delete on claim_evidence
  referencing old table as removed for each statement execute function claims_lost_evidence();

-- Claims that Solutions answer now (1), or no more (-1).
create function add_solutions_to_totals(workspaces uuid[], solutions_of uuid[], claims_of uuid[], direction integer)
  returns void language plpgsql as $$
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
  perform add_signals_to_totals(shifted.workspaces, shifted.targets, shifted.signals, direction);
end
$$;

create function solutions_gained_claims() returns trigger language plpgsql as $$
begin
  perform add_solutions_to_totals(array_agg(workspace_id), array_agg(solution_id), array_agg(claim_id), 1) from added;
  return null;
end
$$;
create trigger claims_gained after insert on solution_claims
  referencing new table as added for each statement execute function solutions_gained_claims();

create function solutions_lost_claims() returns trigger language plpgsql as $$
begin
  perform add_solutions_to_totals(array_agg(workspace_id), array_agg(solution_id), array_agg(claim_id), -1)
  from removed;
  return null;
end
$$;
create trigger claims_lost after delete on solution_claims
  referencing old table as removed for each statement execute function solutions_lost_claims();

-- Whatever these signals are evidence of.
create function targets_of(workspaces uuid[], signals_of uuid[])
  returns table (workspace_id uuid, target_id uuid, signal_id uuid) language sql stable as $$
    select workspace_id, claim_id, signal_id from unnest(workspaces, signals_of) as asked (workspace_id, signal_id)
    join claim_evidence using (workspace_id, signal_id)
    union all
    select workspace_id, solution_id, signal_id from unnest(workspaces, signals_of) as asked (workspace_id, signal_id)
    join solution_evidence using (workspace_id, signal_id)
  $$;

create function occurrences_inserted() returns trigger language plpgsql as $$
begin
  perform add_to_priority_totals(array_agg(targets.workspace_id), array_agg(target_id),
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
create trigger occurrences_inserted after insert on occurrences
  referencing new table as added for each statement execute function occurrences_inserted();

-- An occurrence that is said to be of somebody else, or of another signal.
create function occurrences_updated() returns trigger language plpgsql as $$
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
  perform add_to_priority_totals(array_agg(targets.workspace_id), array_agg(target_id),
    array_agg(evidence_actor(parts.actor_key, parts.source, parts.source_id, parts.channel, parts.actor_name)),
    array_agg(evidence_weight(parts.signal_origin, parts.occurred_at, parts.received_at) * direction),
    array_agg(direction), array_agg(parts.actor_name), array_agg(parts.source))
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
create trigger occurrences_updated after update on occurrences
  referencing old table as removed new table as added for each statement execute function occurrences_updated();

-- An occurrence that is none after all.
create function occurrences_deleted() returns trigger language plpgsql as $$
begin
  perform add_to_priority_totals(array_agg(targets.workspace_id), array_agg(target_id),
    array_agg(
      evidence_actor(removed.actor_key, removed.source, removed.source_id, removed.channel, removed.actor_name)),
    array_agg(evidence_weight(removed.signal_origin, removed.occurred_at, removed.received_at) * -1), array_agg(-1),
    array_agg(removed.actor_name), array_agg(removed.source))
  from removed
  join signals on signals.id = removed.signal_id and signals.state <> 'dismissed'
  cross join lateral targets_of(array[removed.workspace_id], array[removed.signal_id]) as targets;
  return null;
end
$$;
create trigger occurrences_deleted after delete on occurrences
  referencing old table as removed for each statement execute function occurrences_deleted();

-- A signal that was dismissed, taken back, or said to be of somebody else.
create function signals_changed() returns trigger language plpgsql as $$
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
  perform add_to_priority_totals(
    array_agg(targets.workspace_id), array_agg(target_id), array_agg(actor), array_agg(weight * direction),
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
    select signal_id,
      evidence_actor(repeated.actor_key, repeated.source, repeated.source_id, repeated.channel, repeated.actor_name),
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
create trigger signals_changed after update on signals
  referencing old table as removed new table as added for each statement execute function signals_changed();
