import assert from 'node:assert/strict'
import type { Transaction } from '../../../../infra/postgres/port.ts'
import type { Facts } from './model.testing.ts'

const sorted = `array_to_string(array(select distinct origin::text from unnest(origins) as origin order by 1), ',')`

const FACTS = `
  select 'evidence ' || claim_id || ' ' || signal_id as name, ${sorted} as value from claim_evidence where workspace_id = $1
  union all select 'link ' || solution_id || ' ' || claim_id, ${sorted} from solution_claims where workspace_id = $1
  union all select 'merged ' || id, merged_into::text from claims where workspace_id = $1 and merged_into is not null
  union all select 'claim ' || id, state from claims where workspace_id = $1
  union all select 'state ' || id, state from signals where workspace_id = $1
  union all select 'class ' || id, classification from signals where workspace_id = $1
  union all select 'repeat ' || id, signal_id::text from occurrences where workspace_id = $1
  union all select 'taken ' || id, 'on its way' from taken_out_repeats where workspace_id = $1 and in_force`

/** Facts of a workspace in the database. */
export const storedFacts = async (transaction: Transaction, workspaceId: string): Promise<Facts> => {
  const rows = await transaction.query<{ name: string; value: string }>(FACTS, [workspaceId])
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/**
 * Stored values that differ from the rows' real ones: distinct signals behind Solutions, counts behind claims and
 * Solutions, valid merges.
 */
const KEPT_WRONGLY = `
  with bearing as (
    select solution_id, signal_id, count(*)::integer as claims
    from solution_claims join claim_evidence using (workspace_id, claim_id) where workspace_id = $1 group by solution_id, signal_id
  ), parts as (
    select claim_id as target_id, weighted_evidence.actor, weight
    from claim_evidence join weighted_evidence using (workspace_id, signal_id) where workspace_id = $1
    union all
    select solution_id, weighted_evidence.actor, weight
    from bearing join weighted_evidence using (signal_id) where workspace_id = $1
  ), actors as (
    select target_id, actor, count(*)::integer as signals, sum(weight) as weight from parts group by target_id, actor
  ), totals as (
    select target_id, count(*)::integer as actors, sum(signals)::integer as signals from actors group by target_id
  )
  select 'distinct signals of a Solution' as what, coalesce(solution_id, kept.solution_id) as which
  from bearing full join (select * from solution_evidence where workspace_id = $1) kept using (solution_id, signal_id)
  where bearing.claims is distinct from kept.claims
  union all
  select 'weight of an actor', coalesce(actors.target_id, kept.target_id)
  from actors full join (select * from actor_weights where workspace_id = $1) kept using (target_id, actor)
  where actors.signals is distinct from kept.signals or abs(actors.weight - kept.weight) > 1e-6 * actors.weight
  union all
  select 'totals', coalesce(totals.target_id, kept.target_id)
  from totals full join (select * from priority_totals where workspace_id = $1) kept using (target_id)
  where coalesce(totals.signals, 0) <> coalesce(kept.signals, 0) or coalesce(totals.actors, 0) <> coalesce(kept.actors, 0)
  union all
  select 'merge in force', coalesce(merged_claim_id, claims.id)
  from (select * from claims where workspace_id = $1 and merged_into is not null) claims
    full join (select * from merges where workspace_id = $1 and undone_at is null) merges on merged_claim_id = claims.id
  where merges.id is null or claims.id is null
  union all
  select 'count of signals', $1
  from (select state, classification, count(*)::integer as signals from signals where workspace_id = $1 group by 1, 2) signals
    full join (select * from signal_counts where workspace_id = $1 and signals > 0) kept using (state, classification)
  where signals.signals is distinct from kept.signals
  union all
  select 'newest of evidence', claim_id from claim_evidence
  where workspace_id = $1 and newest_at is distinct from newest_of_signal(signal_id)
  union all
  select 'count of repeats', workspace_id from occurrence_counts
  where workspace_id = $1 and occurrences <> (select count(*) from occurrences where workspace_id = $1)`

export const assertKeptCounts = async (transaction: Transaction, workspaceId: string): Promise<void> => {
  assert.deepEqual(
    await transaction.query(KEPT_WRONGLY, [workspaceId]),
    [],
    'What is kept is not what the rows come to.',
  )
}
