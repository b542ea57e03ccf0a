-- What a claim or a Solution gains at once, or loses, may be a hundred thousand signals: a large claim that is merged, or
-- that a Solution begins to answer. What came is counted once and then added up, never looked up or joined: of such a
-- list the planner knows no size, and a plan that it made for few compares all with all.

create or replace function add_evidence_to_totals(workspaces uuid[], claims_of uuid[], signals_of uuid[], direction integer)
  returns void language plpgsql as $$
declare
  shifted record;
begin
  with given as (
    select * from unnest(workspaces, claims_of, signals_of) as given (workspace_id, claim_id, signal_id)
  ), bearing as (
    select given.workspace_id, solution_id, given.signal_id, count(*)::integer as claims
    from given join solution_claims using (workspace_id, claim_id)
    group by given.workspace_id, solution_id, given.signal_id
  ), carried as (
    insert into solution_evidence as kept (workspace_id, solution_id, signal_id, claims)
    select workspace_id, solution_id, signal_id, claims * direction from bearing order by solution_id, signal_id
    on conflict (solution_id, signal_id) do update set claims = kept.claims + excluded.claims
    returning workspace_id, solution_id, signal_id, claims
  ), moved as (
    select workspace_id, claim_id as target_id, signal_id from given
    union all
    -- Only the first claim that has a signal brings it to the Solution, and only the last one takes it away.
    select workspace_id, solution_id, signal_id from (
      select workspace_id, solution_id, signal_id, claims as kept, 0 as came from carried
      union all
      select workspace_id, solution_id, signal_id, 0, claims from bearing
    ) as counted
    group by workspace_id, solution_id, signal_id
    having sum(kept) = case when direction > 0 then sum(came) else 0 end
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

create or replace function add_solutions_to_totals(
  workspaces uuid[], solutions_of uuid[], claims_of uuid[], direction integer
) returns void language plpgsql as $$
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
    select workspace_id, solution_id as target_id, signal_id from (
      select workspace_id, solution_id, signal_id, claims as kept, 0 as came from carried
      union all
      select workspace_id, solution_id, signal_id, 0, claims from bearing
    ) as counted
    group by workspace_id, solution_id, signal_id
    having sum(kept) = case when direction > 0 then sum(came) else 0 end
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
