import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { ATTACH_AT } from '../../../model/map/anchor.ts'
import { type MapNode, readNode, subtreeOf } from '../../../model/map/nodes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { JobId } from '../../../schemas/domain/ids.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'
import { NodeShape } from './node-shape.ts'

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

/** The parent that an identifier stands for; null is none. Throws `not_found` or `ambiguous`. */
export const resolveParent = async (transaction: Transaction, identified: string | null): Promise<string | null> =>
  identified === null ? null : (await resolveOne(transaction, 'node', identified)).id

/** Refuses, with `conflict`, a place within what is moved itself. */
export const requireOutside = async (
  transaction: Transaction,
  node: { readonly id: string; readonly name: string },
  parentId: string | null,
): Promise<void> => {
  if (parentId === null || !(await subtreeOf(transaction, node.id)).some(id => id === parentId)) return
  throw new AssayError(
    'conflict',
    `"${node.name}" cannot be below itself: the parent asked for is the node or lies below it. Nothing was moved. Move that one out first, with service_map mode move_node.`,
  )
}

/** What a change of the map means for the Signals that are here already. */
export const ReAnchoring = Type.Object({
  job_id: nullable(uuid),
  message: Type.String(),
})
type ReAnchoring = Static<typeof ReAnchoring>

export const reAnchoring = (jobId: JobId | null): ReAnchoring => ({
  job_id: jobId,
  message: `In the background each Signal is anchored again, to the nearest node if that is at a cosine of ${ATTACH_AT} or more, else to none; until then it stays where it was. service_support mode jobs shows how far the job is. Signals received from now on meet the new map.`,
})

/** For changes that leave every vector as it was. */
export const NOTHING_RE_ANCHORED: ReAnchoring = {
  job_id: null,
  message: 'No text changed, so no vector did: Signals stay anchored as they are.',
}

/** A node after a change of the map. */
export const ChangedNode = Type.Object({ ...NodeShape.properties, re_anchoring: ReAnchoring })
