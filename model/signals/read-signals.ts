import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import type { ActorRole, Channel, Classification, SignalOrigin, SignalState } from '../../schemas/domain/vocabulary.ts'

/** A stored signal, with where it is on the map and the claims that it is evidence of. */
export interface SignalRow {
  readonly id: SignalId
  readonly number: number
  readonly text: string
  readonly state: SignalState
  readonly classification: Classification
  readonly classification_confidence: number
  readonly node: { id: string; name: string; score: number | null } | null
  readonly claims: readonly { id: string; number: number; title: string }[]
  readonly occurrences: number
  readonly channel: Channel
  readonly source: string | null
  readonly source_url: string | null
  readonly event: string | null
  readonly actor_name: string | null
  readonly actor_role: ActorRole
  readonly signal_origin: SignalOrigin
  readonly occurred_at: Date
  readonly received_at: Date
  readonly version: number
  readonly metadata: Record<string, unknown>
}

/** Selects `SignalRow`s; a statement appends its own `where`, `order by` and `limit`. */
export const SELECT_SIGNALS = `
  select signals.id, number, text, state, classification, classification_confidence, channel, source, source_url, event,
    actor_name, actor_role, signal_origin, metadata, occurred_at, received_at, signals.version,
    (select count(*)::integer from occurrences where signal_id = signals.id) as occurrences,
    (select jsonb_build_object('id', node.id, 'name', node.name, 'score', node_score)
      from map_nodes node where node.id = node_id) as node,
    coalesce(
      (select jsonb_agg(jsonb_build_object('id', claims.id, 'number', claims.number, 'title', title) order by claims.number)
        from claim_evidence join claims on claims.id = claim_id
        where signal_id = signals.id and merged_into is null), '[]') as claims
  from signals`

const OF_IDS = `${SELECT_SIGNALS} where signals.id = any ($1::uuid[])`

/** The signals of these ids, in no order; one that is not there is not in the answer. */
export const readSignals = (transaction: Transaction, ids: readonly string[]): Promise<SignalRow[]> =>
  transaction.query<SignalRow>(OF_IDS, [ids])

const NEWEST = `${SELECT_SIGNALS} order by number desc limit $1`

/** The newest signals of the workspace, the newest first. */
export const newestSignals = (transaction: Transaction, limit: number): Promise<SignalRow[]> =>
  transaction.query<SignalRow>(NEWEST, [limit])
