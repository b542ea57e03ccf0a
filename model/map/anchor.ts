import { type Calibration, toScale } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/postgres/vectors.ts'
import type { NodeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Anchor } from '../../schemas/events/signal.ts'
import { placedVectors } from './node-vectors.ts'

// A workspace's map has some hundred texts at most: an exact scan is quicker than any index of vectors. Probes and
// texts are materialized, because a vector would otherwise be put together, or fetched from where PostgreSQL keeps long
// values, again for each pair.
const NEAREST_NODES = `
  with probe as materialized (
    select ordinal::int - 1 as position, workspace_id, model, ${vectorOf('$3', 'ordinal')} as embedding
    from unnest($1::uuid[], $2::text[]) with ordinality as asked (workspace_id, model, ordinal)
  ),
  placed as materialized (${placedVectors('probe')})
  select distinct on (position) position, node_id, 1 - distance as score
  from (
    select probe.position, placed.node_id, placed.embedding <=> probe.embedding as distance
    from probe join placed using (workspace_id, model)
  ) as pair
  order by position, distance, node_id`

const PLACED_SPACES = `
  select workspace_id, model
  from unnest($1::uuid[], $2::text[]) as asked (workspace_id, model)
  where exists (
    select from map_node_vectors where workspace_id = asked.workspace_id and model = asked.model offset 0
  )
  group by workspace_id, model`

interface VectorProbe {
  readonly workspaceId: WorkspaceId
  readonly model: string
  readonly vector: Float32Array
}

export interface NearestNode {
  readonly nodeId: NodeId
  /** Cosine to the nearest of the node's texts, or of the signals that people moved to it. */
  readonly score: number
}

/** For each probe the nearest node of its workspace's map under its model; null where the map has none. */
export const findNearestNodes = async (
  transaction: Transaction,
  probes: readonly VectorProbe[],
): Promise<readonly (NearestNode | null)[]> => {
  const placed = await placedSpaces(transaction, probes)
  const worth = probes.filter(probe => placed.has(spaceNameOf(probe)))
  if (worth.length === 0) return probes.map(() => null)
  const rows = await transaction.query<{ position: number; node_id: NodeId; score: number }>(NEAREST_NODES, [
    worth.map(probe => probe.workspaceId),
    worth.map(probe => probe.model),
    toVectorBatch(worth.map(probe => probe.vector)),
  ])
  const found = new Map(rows.map(row => [worth[row.position], { nodeId: row.node_id, score: row.score }]))
  return probes.map(probe => found.get(probe) ?? null)
}

const spaceNameOf = ({ workspaceId, model }: Pick<VectorProbe, 'workspaceId' | 'model'>): string =>
  `${workspaceId} ${model}`

/** The workspaces that have a map under a model: the vectors of the others need not travel. */
const placedSpaces = async (transaction: Transaction, probes: readonly VectorProbe[]): Promise<ReadonlySet<string>> => {
  const spaces = [...new Map(probes.map(probe => [spaceNameOf(probe), probe])).values()]
  const rows = await transaction.query<{ workspace_id: WorkspaceId; model: string }>(PLACED_SPACES, [
    spaces.map(space => space.workspaceId),
    spaces.map(space => space.model),
  ])
  return new Set(rows.map(row => spaceNameOf({ workspaceId: row.workspace_id, model: row.model })))
}

/**
 * The least cosine, on the calibrated scale, at which a signal is attached to its nearest node. The database sums in
 * float32: dense vectors are within 0.000005 of it.
 */
export const ATTACH_AT = 0.8

/**
 * What a signal is anchored to, by its nearest node; the score, on the calibrated scale, is kept, near enough or not.
 */
export const anchorTo = (nearest: NearestNode | null, calibration: Calibration): Anchor => {
  if (nearest === null) return { node_id: null, score: null }
  const score = toScale(calibration, nearest.score)
  return { node_id: score >= ATTACH_AT ? nearest.nodeId : null, score }
}
