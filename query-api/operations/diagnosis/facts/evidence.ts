import type { Transaction } from '../../../../infra/postgres/port.ts'
import { oneRow } from './one-row.ts'

/** The Signals and the map that they are anchored to. */
export interface EvidenceFacts {
  readonly signals: number
  readonly last_signal_at: Date | null
  readonly triage_signals: number
  readonly oldest_triage_days: number | null
  readonly map_nodes: number
  /** Nodes without a vector of the embedder's model: nothing can be anchored to them. */
  readonly nodes_without_vector: number
  /** Signals with a vector of the embedder's model: repeats of the others are not recognized by meaning. */
  readonly signals_with_vector: number
  readonly other_models: readonly { readonly model: string; readonly vectors: number }[]
  /** Of the newest Signals: how many there are of them, how many are anchored, and the best score among them. */
  readonly newest: { readonly signals: number; readonly anchored: number; readonly best_score: number | null }
}

/** So many of the newest Signals say whether anchoring works as things are now. */
const NEWEST = 200

// Ages of what the database dates itself are by its own clock.
const EVIDENCE = `
  select
    (select coalesce(sum(signals), 0)::integer from signal_counts) as signals,
    (select max(received_at) from signals) as last_signal_at,
    (select coalesce(sum(signals), 0)::integer from signal_counts where state = 'triage') as triage_signals,
    (select extract(epoch from now() - min(inserted_at))::float8 / 86400 from signals where state = 'triage') as oldest_triage_days,
    (select count(*)::integer from map_nodes) as map_nodes,
    (select count(*)::integer from map_nodes where not exists (
      select from map_node_vectors where node_id = map_nodes.id and model = $1)) as nodes_without_vector,
    (select count(*)::integer from signal_vectors where model = $1) as signals_with_vector,
    (select coalesce(jsonb_agg(to_jsonb(other) order by model), '[]') from (
      select model, count(*)::integer as vectors from signal_vectors where model < $1 or model > $1 group by model
    ) other) as other_models,
    (select jsonb_build_object('signals', count(*), 'anchored', count(node_id), 'best_score', max(node_score)) from (
      select node_id, node_score from signals order by number desc limit ${NEWEST}) newest) as newest`

export const evidenceFacts = (transaction: Transaction, embeddingModel: string): Promise<EvidenceFacts> =>
  oneRow<EvidenceFacts>(transaction, EVIDENCE, [embeddingModel])
