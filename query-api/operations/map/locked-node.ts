import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { NodeId } from '../../../schemas/domain/ids.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

/** A node with what a change of it begins from. */
export interface LockedNode {
  readonly id: NodeId
  readonly parent_id: NodeId | null
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
  readonly version: number
}

const NODE = 'select id, parent_id, name, description, examples, version from map_nodes where id = $1'

/**
 * The node that an identifier stands for. Throws `not_found`, `ambiguous`, and `conflict` with the node as it is now when the
 * caller had read another version. Nobody else changes it before the transaction ends while that holds the map.
 */
export const readLockedNode = async (
  transaction: Transaction,
  identified: string,
  readVersion: number | undefined,
): Promise<LockedNode> => {
  const { id } = await resolveOne(transaction, 'node', identified)
  const [node] = await transaction.query<LockedNode>(NODE, [id])
  if (node === undefined) return throwDeleted('map node')
  if (readVersion !== undefined && readVersion !== node.version) throw staleNode(node, readVersion)
  return node
}

export const staleNode = ({ id, parent_id, name, version, description }: LockedNode, readVersion: number): AssayError =>
  new AssayError(
    'conflict',
    `The node "${name}" has changed: you read version ${readVersion}, it is at ${version}. Nothing was written. Decide again on what it is now; service_map mode read with its id shows all of it.`,
    { context: { current: { id, parent_id, name, description: description.slice(0, 280), version } } },
  )
