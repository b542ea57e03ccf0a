import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/postgres/vector-batch.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Channel } from '../../schemas/domain/vocabulary.ts'
import { NEAR_DUPLICATE_AT, NEAR_DUPLICATE_IN_THREADS_AT } from './thresholds.ts'

// The quantized bits of a workspace are scanned; the 50 that differ in the fewest are ranked again by their exact cosine.
// Materialized, because a vector would otherwise be put together again for each row that it is compared with.
const FIND_NEAR_DUPLICATES = `
  with given as materialized (
    select ordinal::int - 1 as position, id, workspace_id, channel, model, newer_than,
      ${vectorOf('$5', 'ordinal')} as embedding
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $6::int[])
      with ordinality as asked (id, workspace_id, channel, model, newer_than, ordinal)
  ),
  probe as materialized (
    select *, binary_quantize(embedding)::bit(1024) as bits from given
  )
  select probe.position, nearest.signal_id, nearest.similarity
  from probe
  cross join lateral (
    select candidate.signal_id, candidate.similarity
    from (
      select near.signal_id, 1 - (near.embedding <=> probe.embedding) as similarity
      from (
        select signal_id, embedding
        from signal_vectors
        where workspace_id = probe.workspace_id and model = probe.model and number > probe.newer_than
          and signal_id <> probe.id
        order by signal_vectors.bits <~> probe.bits
        limit 50
      ) as near
    ) as candidate
    join signals on signals.id = candidate.signal_id
    where candidate.similarity >= case when signals.channel = 'email' and probe.channel = 'email' then $8::float8 else $7::float8 end
    order by candidate.similarity desc, signals.number
    limit 1
  ) as nearest`

export interface DuplicateProbe {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly channel: Channel
  readonly model: string
  readonly vector: Float32Array
  /** Only signals with a greater number are looked at. */
  readonly newerThan: number
}

export interface NearDuplicate {
  readonly signalId: SignalId
  readonly similarity: number
}

/** For each probe the nearest other signal of its workspace and model that is near enough to be repeated; null where there is none. */
export const findNearDuplicates = async (
  transaction: Transaction,
  probes: readonly DuplicateProbe[],
): Promise<readonly (NearDuplicate | null)[]> => {
  if (probes.length === 0) return []
  const rows = await transaction.query<{ position: number; signal_id: SignalId; similarity: number }>(
    FIND_NEAR_DUPLICATES,
    [
      probes.map(probe => probe.id),
      probes.map(probe => probe.workspaceId),
      probes.map(probe => probe.channel),
      probes.map(probe => probe.model),
      toVectorBatch(probes.map(probe => probe.vector)),
      probes.map(probe => probe.newerThan),
      NEAR_DUPLICATE_AT,
      NEAR_DUPLICATE_IN_THREADS_AT,
    ],
  )
  const found = new Map(rows.map(row => [row.position, { signalId: row.signal_id, similarity: row.similarity }]))
  return probes.map((_, position) => found.get(position) ?? null)
}
