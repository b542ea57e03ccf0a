import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { subtreeOf } from '../../../model/map/nodes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'

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
