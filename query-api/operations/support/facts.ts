import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Transaction } from '../../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { activityRows } from '../parts/activity-rows.ts'

/** What `diagnose` judges a workspace by. */
export interface Facts {
  readonly sources: number
  readonly signals: number
  readonly last_signal_at: Date | null
  readonly triage_signals: number
  readonly oldest_triage_at: Date | null
  readonly waiting_proposals: number
  readonly map_nodes: number
  /** Nodes without a vector of the embedder's model: nothing can be anchored to them. */
  readonly nodes_of_other_models: number
  /** Signals without a vector of the embedder's model: no repeat of them is recognized by meaning. */
  readonly signals_of_other_models: number
  readonly dead_letters: readonly DeadLetters[]
  readonly stuck_signals: number
  readonly embedder: { readonly model: string; readonly limitation: string | null }
}

interface DeadLetters {
  readonly step: string
  readonly fault: string
  readonly letters: number
  readonly last_failed_at: string
}

type StoredFacts = Omit<Facts, 'stuck_signals' | 'embedder'>

const FACTS = `
  select
    (select count(*)::integer from sources where deleted_at is null) as sources,
    (select count(*)::integer from signals) as signals,
    (select max(received_at) from signals) as last_signal_at,
    (select count(*)::integer from signals where state = 'triage') as triage_signals,
    (select min(inserted_at) from signals where state = 'triage') as oldest_triage_at,
    (select count(*)::integer from merge_proposals where state = 'waiting') as waiting_proposals,
    (select count(*)::integer from map_nodes) as map_nodes,
    (select count(*)::integer from map_nodes where not exists (
      select from map_node_vectors where node_id = map_nodes.id and model = $1)) as nodes_of_other_models,
    (select count(*)::integer from signals where not exists (
      select from signal_vectors where signal_id = signals.id and model = $1)) as signals_of_other_models,
    (select coalesce(jsonb_agg(to_jsonb(dead)), '[]') from (
      select step, fault, count(*)::integer as letters, max(last_failed_at) as last_failed_at
      from dead_letters where state = 'waiting'
      group by step, fault order by letters desc, step, fault
    ) dead) as dead_letters`

export const storedFacts = async (transaction: Transaction, embeddingModel: string): Promise<StoredFacts> => {
  const [facts] = await transaction.query<StoredFacts>(FACTS, [embeddingModel])
  if (facts === undefined) throw new Error('A statement without a from clause answered no row.')
  return facts
}

/** A signal that is not at its end after this long is not just on its way. */
export const STUCK_AFTER_MINUTES = 5

/** Where a signal's way may end: in a row, as a repeat, or dead. */
const ENDED = `kind = 'signal.dead_letter' OR outcome IN ('skip', 'dead') OR (step = 'insert' AND outcome = 'next')`

/** How many signals of the last day were received and reached no end. */
export const countStuck = async (analytics: Analytics, workspaceId: WorkspaceId, now: Date): Promise<number> => {
  const minute = 60_000
  const received = await activityRows<{ subject_id: string; total: number }>(analytics, workspaceId, {
    select: 'subject_id, count() OVER () AS total',
    where: [
      `kind IN ('signal.received', 'signal.step', 'signal.dead_letter')`,
      'occurred_at >= {from: DateTime64(3)}',
      'occurred_at < {to: DateTime64(3)}',
    ],
    groupBy: ['subject_id'],
    having: `countIf(${ENDED}) = 0`,
    limit: 1,
    parameters: {
      from: new Date(now.getTime() - 24 * 60 * minute),
      to: new Date(now.getTime() - STUCK_AFTER_MINUTES * minute),
    },
  })
  return received[0]?.total ?? 0
}
