import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'

/** How much there is of everything, and how much waits for somebody. */
export const Counts = Type.Object({
  sources: Type.Integer(),
  signals: Type.Integer(),
  signals_in_triage: Type.Integer(),
  triage_by_classification: Type.Record(Type.String(), Type.Integer()),
  claims: Type.Integer(),
  waiting_proposals: Type.Integer(),
  solutions: Type.Integer(),
  map_nodes: Type.Integer(),
  waiting_dead_letters: Type.Integer(),
})
export type Counts = Static<typeof Counts>

// What was put off is not in Triage. Claims that live on are what is left of all: both counts are read from indexes alone.
const COUNTS = `
  with asleep as (
    select classification, count(*) as signals from snoozed_signals($1) group by classification
  ), awake as (
    select classification, signal_counts.signals - coalesce(asleep.signals, 0) as signals
    from signal_counts left join asleep using (classification) where state = 'triage'
  )
  select
    (select count(*)::integer from sources where deleted_at is null) as sources,
    (select coalesce(sum(signals), 0)::integer from signal_counts) as signals,
    (select coalesce(sum(signals), 0)::integer from awake) as signals_in_triage,
    (select coalesce(jsonb_object_agg(classification, signals), '{}') from awake where signals > 0) as triage_by_classification,
    ((select count(*) from claims) - (select count(*) from claims where merged_into is not null))::integer as claims,
    (select count(*)::integer from merge_proposals where state = 'waiting') as waiting_proposals,
    (select count(*)::integer from solutions) as solutions,
    (select count(*)::integer from map_nodes) as map_nodes,
    (select count(*)::integer from dead_letters where state = 'waiting') as waiting_dead_letters`

export const countEverything = async (transaction: Transaction, now: Date): Promise<Counts> => {
  const [counts] = await transaction.query<Counts>(COUNTS, [now])
  if (counts === undefined) throw new Error('A statement without a from clause answered no row.')
  return counts
}
