import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/postgres/vector-batch.ts'
import type { NodeId, WorkspaceId } from '../../schemas/domain/ids.ts'

// A workspace's map has some hundred texts at most: an exact scan is quicker than any index of vectors. The probes are materialized, because
// a vector would otherwise be put together again for each row.
const NEAREST_NODES = `
  with probe as materialized (
    select ordinal::int - 1 as position, workspace_id, model, ${vectorOf('$3', 'ordinal')} as embedding
    from unnest($1::uuid[], $2::text[]) with ordinality as asked (workspace_id, model, ordinal)
  )
  select probe.position, nearest.node_id, nearest.score
  from probe
  cross join lateral (
    select node_id, 1 - (map_node_vectors.embedding <=> probe.embedding) as score
    from map_node_vectors
    where map_node_vectors.workspace_id = probe.workspace_id and map_node_vectors.model = probe.model
    order by map_node_vectors.embedding <=> probe.embedding, node_id
    limit 1
  ) as nearest`

export interface VectorProbe {
  readonly workspaceId: WorkspaceId
  readonly model: string
  readonly vector: Float32Array
}

export interface NearestNode {
  readonly nodeId: NodeId
  /** Cosine to the nearest of the node's texts. */
  readonly score: number
}

/** For each probe the nearest node of its workspace's map under its model; null where the map has none. */
export const findNearestNodes = async (
  transaction: Transaction,
  probes: readonly VectorProbe[],
): Promise<readonly (NearestNode | null)[]> => {
  const rows = await transaction.query<{ position: number; node_id: NodeId; score: number }>(NEAREST_NODES, [
    probes.map(probe => probe.workspaceId),
    probes.map(probe => probe.model),
    toVectorBatch(probes.map(probe => probe.vector)),
  ])
  const found = new Map(rows.map(row => [row.position, { nodeId: row.node_id, score: row.score }]))
  return probes.map((_, position) => found.get(position) ?? null)
}
