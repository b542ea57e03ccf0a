import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { findSibling, type WantedName } from '../../../model/map/nodes.ts'
import { MAX_CHARACTERS, MAX_NODE_EXAMPLES } from '../../../schemas/domain/limits.ts'
import { identifier, nullable } from '../parts/fields.ts'

/** What people write about a node. */

export const name = Type.String({
  minLength: 1,
  maxLength: MAX_CHARACTERS.name,
  pattern: '\\S',
  description: 'The name. Unique among its siblings.',
})

export const description = Type.Optional(
  Type.String({
    maxLength: MAX_CHARACTERS.nodeDescription,
    description: 'What belongs here. Signals are anchored by its meaning.',
  }),
)

export const examples = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.nodeExample, pattern: '\\S' }), {
    maxItems: MAX_NODE_EXAMPLES,
    description: 'Texts as senders write them, that belong here. A node is as near as the nearest of its texts.',
  }),
)

/** A node: UUID, name, or names from a root. */
export const nodeId = Type.With(identifier, {
  description: 'The node: name or path (Billing / Invoices). Or its UUID.',
})

export const parentId = Type.With(nullable(Type.String({ minLength: 1, maxLength: 300 })), {
  description: 'Null for none. The node above. A UUID, name or path.',
})

/** Refuses, with `conflict`, a name that a sibling has. */
export const requireFreeName = async (transaction: Transaction, wanted: WantedName): Promise<void> => {
  const sibling = await findSibling(transaction, wanted)
  if (sibling === undefined) return
  throw new AssayError(
    'conflict',
    `Another node here is named "${wanted.name}". Choose another name, or change that node with service_map mode update_node.`,
    { context: { id: sibling } },
  )
}
