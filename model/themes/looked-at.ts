import type { Transaction } from '../../infra/postgres/port.ts'
import { fromVector } from '../../infra/vectors.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Classification } from '../../schemas/domain/vocabulary.ts'
import { READ_CHARACTERS } from './passages.ts'

/** A signal that may be in a theme. */
export interface LookedAt {
  readonly id: SignalId
  readonly number: number
  readonly text: string
  readonly classification: Classification
  readonly confidence: number
}

// Leaves out dismissed signals and noise. Texts in an unknown language stay.
const PAGE = `
  select id, number, left(text, ${READ_CHARACTERS}) as text, classification,
    case when classification_version like '%/unknown-language' then 0 else classification_confidence end as confidence
  from signals
  where workspace_id = $1 and state <> 'dismissed' and number < $2
  order by number desc limit $3`

/** At most `limit` signals below a number, newest first. */
export const signalsBelow = (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  below: number,
  most: number,
): Promise<readonly LookedAt[]> => transaction.query<LookedAt>(PAGE, [workspaceId, below, most])

const VECTORS = `
  select signal_id, embedding::text as embedding, own_text from signal_vectors where signal_id = any ($1::uuid[]) and model = $2`

export interface StoredVector {
  readonly vector: Float32Array
  /** Hash of the part of the text that the vector is made of; 0 for the whole text. */
  readonly ownText: number
}

/** Vectors of signals under a model. Signals without one are missing. */
export const vectorsOf = async (
  transaction: Transaction,
  signalIds: readonly SignalId[],
  model: string,
): Promise<ReadonlyMap<SignalId, StoredVector>> => {
  const rows = await transaction.query<{ signal_id: SignalId; embedding: string; own_text: number }>(VECTORS, [
    signalIds,
    model,
  ])
  return new Map(rows.map(row => [row.signal_id, { vector: fromVector(row.embedding), ownText: row.own_text }]))
}
