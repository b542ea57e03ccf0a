import { type Child, changeMap, childrenOf, type MapNode, removeNode } from '../../../model/map/nodes.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, type Transaction, Type, writeOperation } from '../define.ts'
import { oneOf, uuid, version } from '../parts/fields.ts'
import {
  nodeId,
  parentId,
  ReAnchoring,
  reAnchoring,
  readLockedNode,
  requireFreeName,
  requireOutside,
  resolveParent,
} from './node.ts'

export const removeMapNode = writeOperation({
  name: 'remove_map_node',
  title: 'Remove a node from the product map',
  summary:
    'Removes a node with its vectors and metric bindings. Nodes below it keep it from being removed, unless children says move: they go under parent_id, or under the parent of what is removed. Signals anchored to it stay and are anchored to nothing; in the background each is anchored to what is nearest then.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    id: nodeId,
    children: Type.Optional(
      oneOf(['refuse', 'move'], { description: 'Nodes below refuse the removal (default) or move.' }),
    ),
    parent_id: Type.Optional(parentId),
    version,
  }),
  output: Type.Object({
    removed: Type.Object({ id: uuid, name: ownText() }),
    moved_children: Type.Integer(),
    unanchored_signals: Type.Integer({ description: 'Signals that were anchored to it: anchored to nothing for now.' }),
    re_anchoring: ReAnchoring,
  }),
  apply: async (input, transaction, { caller, services }) => {
    const jobId = await changeMap(transaction, caller.workspaceId, caller.userName)
    const node = await readLockedNode(transaction, input.id, input.version)
    const parent = input.parent_id === undefined ? node.parent_id : await resolveParent(transaction, input.parent_id)
    const children = await childrenOf(transaction, node.id)
    if (children.length > 0 && input.children !== 'move') throw hasChildren(node, children)
    await requirePlaces(transaction, node, children, parent)
    const released = await removeNode(transaction, node.id, parent, services.now())
    return {
      data: {
        removed: { id: node.id, name: node.name },
        moved_children: children.length,
        unanchored_signals: released,
        re_anchoring: reAnchoring(jobId),
      },
    }
  },
})

const MAX_NAMED = 10

const hasChildren = ({ name }: MapNode, children: readonly Child[]): AssayError =>
  new AssayError(
    'conflict',
    `"${name}" has ${counted(children.length, 'node')} right below it; nothing was removed. Remove those first, or send children: "move" to put them under its parent, or under parent_id.`,
    { context: { children: children.slice(0, MAX_NAMED) } },
  )

/** Throws `conflict` for a new place of the children within the node itself, or for a place with the same names. */
const requirePlaces = async (
  transaction: Transaction,
  node: MapNode,
  children: readonly Child[],
  parentId: string | null,
): Promise<void> => {
  await requireOutside(transaction, node, parentId)
  for (const { name } of children) await requireFreeName(transaction, { name, parentId, id: node.id })
}
