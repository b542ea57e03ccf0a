import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { type MapNode, readNode } from '../../../model/map/nodes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

/**
 * The node that an identifier stands for. Throws `not_found`, `ambiguous`, and `conflict` with the node as it is now when the
 * caller had read another version. Nobody else changes it before the transaction ends while that holds the map.
 */
export const readLockedNode = async (
  transaction: Transaction,
  identified: string,
  readVersion: number | undefined,
): Promise<MapNode> => {
  const { id } = await resolveOne(transaction, 'node', identified)
  const node = await readNode(transaction, id)
  if (node === undefined) return throwDeleted('map node')
  if (readVersion !== undefined && readVersion !== node.version) throw staleNode(node, readVersion)
  return node
}

export const staleNode = ({ id, parent_id, name, version, description }: MapNode, readVersion: number): AssayError =>
  new AssayError(
    'conflict',
    `The node "${name}" has changed: you read version ${readVersion}, it is at ${version}. Nothing was written. Decide again on what it is now; service_map mode read with its id shows all of it.`,
    { context: { current: { id, parent_id, name, description: description.slice(0, 280), version } } },
  )
