import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/postgres/vectors.ts'
import type { NodeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { NodeTexts } from './nodes.ts'

/** The texts that place a node, in the order of their ordinals: its name and description as one, then each example. */
export const nodeTexts = (node: NodeTexts): readonly string[] => [
  node.description === '' ? node.name : `${node.name}\n${node.description}`,
  ...node.examples,
]

const DELETE_NODE_VECTORS = `delete from map_node_vectors where workspace_id = $1 and node_id = $2`

const INSERT_NODE_VECTORS = `
  insert into map_node_vectors (workspace_id, node_id, ordinal, model, embedding)
  select $1, $2, place - 1, $3, ${vectorOf('$4', 'place')}
  from generate_series(1, $5::int) as place`

/**
 * Replaces a node's vectors by those of its `nodeTexts`, one each, in order. Vectors of other models go too: they stand for
 * texts that the node no longer has. Embed outside of the transaction.
 */
export const storeNodeVectors = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  nodeId: NodeId,
  model: string,
  vectors: readonly Float32Array[],
): Promise<void> => {
  await transaction.query(DELETE_NODE_VECTORS, [workspaceId, nodeId])
  await transaction.query(INSERT_NODE_VECTORS, [workspaceId, nodeId, model, toVectorBatch(vectors), vectors.length])
}
