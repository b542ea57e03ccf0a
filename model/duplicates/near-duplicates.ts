import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/postgres/vector-batch.ts'
import { signBits } from '../../infra/vector-index/sign-bits.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Channel } from '../../schemas/domain/vocabulary.ts'
import type { Neighbours } from '../neighbours/neighbours.ts'
import { COSINE_TOLERANCE, MAX_DIFFERING_BITS, NEAR_DUPLICATE_AT, NEAR_DUPLICATE_IN_THREADS_AT } from './thresholds.ts'

/** How many of the nearest by sign bits are compared exactly. */
const COMPARED = 16

// Probes are materialized, because a vector would otherwise be put together again for each row that it is compared with; `offset 0` keeps each
// look-up one by its index, whatever the planner knows of the tables.
const COMPARE = `
  with probe as materialized (
    select ordinal, channel, model, ${vectorOf('$3', 'ordinal')} as embedding
    from unnest($1::text[], $2::text[]) with ordinality as asked (channel, model, ordinal)
  )
  select distinct on (probe.ordinal) probe.ordinal::int - 1 as position, candidate.signal_id, candidate.similarity
  from unnest($4::int[], $5::uuid[]) as pair (ordinal, signal_id)
  join probe using (ordinal)
  cross join lateral (
    select stored.signal_id, 1 - (stored.embedding <=> probe.embedding) as similarity, signals.number, signals.channel
    from (
      select signal_id, embedding from signal_vectors where signal_id = pair.signal_id and model = probe.model offset 0
    ) as stored
    cross join lateral (select number, channel from signals where id = stored.signal_id offset 0) as signals
  ) as candidate
  where candidate.similarity >= case when candidate.channel = 'email' and probe.channel = 'email' then $7::float8 else $6::float8 end
  order by probe.ordinal, candidate.similarity desc, candidate.number`

export interface DuplicateProbe {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly channel: Channel
  readonly model: string
  readonly vector: Float32Array
}

export interface NearDuplicate {
  readonly signalId: SignalId
  readonly similarity: number
}

/**
 * For each probe the nearest other signal of its workspace and model that is near enough to be repeated; null where there is none. Memory says
 * which few are worth a look, the database how near they are. `neighbours` must be refreshed for the probes' spaces.
 */
export const findNearDuplicates = async (
  transaction: Transaction,
  neighbours: Pick<Neighbours, 'nearest'>,
  probes: readonly DuplicateProbe[],
): Promise<readonly (NearDuplicate | null)[]> => {
  const looked = probes.map(probe => ({ probe, candidates: candidatesOf(neighbours, probe) }))
  const worth = looked.filter(({ candidates }) => candidates.length > 0)
  if (worth.length === 0) return probes.map(() => null)

  const pairs = worth.flatMap(({ candidates }, index) => candidates.map(signalId => ({ ordinal: index + 1, signalId })))
  const rows = await transaction.query<{ position: number; signal_id: SignalId; similarity: number }>(COMPARE, [
    worth.map(({ probe }) => probe.channel),
    worth.map(({ probe }) => probe.model),
    toVectorBatch(worth.map(({ probe }) => probe.vector)),
    pairs.map(pair => pair.ordinal),
    pairs.map(pair => pair.signalId),
    NEAR_DUPLICATE_AT - COSINE_TOLERANCE,
    NEAR_DUPLICATE_IN_THREADS_AT - COSINE_TOLERANCE,
  ])
  const found = new Map(
    rows.map(row => [worth[row.position]?.probe, { signalId: row.signal_id, similarity: row.similarity }]),
  )
  return probes.map(probe => found.get(probe) ?? null)
}

const candidatesOf = (neighbours: Pick<Neighbours, 'nearest'>, probe: DuplicateProbe): readonly SignalId[] =>
  neighbours
    .nearest(probe, signBits(probe.vector), COMPARED)
    .filter(({ signalId, distance }) => signalId !== probe.id && distance <= MAX_DIFFERING_BITS)
    .map(({ signalId }) => signalId)
