import { lockMap, moveNode } from '../../../model/map/nodes.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { version } from '../parts/fields.ts'
import {
  ChangedNode,
  NOTHING_RE_ANCHORED,
  nodeId,
  nodeShape,
  parentId,
  readLockedNode,
  requireFreeName,
  requireOutside,
  resolveParent,
} from './node.ts'

export const moveMapNode = writeOperation({
  name: 'move_map_node',
  title: 'Move a node of the product map',
  summary:
    'Puts a node, with all that is below it, under another parent, or makes it a root. Its texts and so what is anchored to it stay. Refused below itself, and where a sibling has its name.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ id: nodeId, parent_id: parentId, version }),
  output: ChangedNode,
  apply: async (input, transaction, { caller, services }) => {
    await lockMap(transaction, caller.workspaceId)
    const node = await readLockedNode(transaction, input.id, input.version)
    const parent = await resolveParent(transaction, input.parent_id)
    if (parent === node.parent_id) {
      throw new AssayError('invalid_input', `"${node.name}" is there already; nothing was moved.`)
    }
    await requireOutside(transaction, node, parent)
    await requireFreeName(transaction, { name: node.name, parentId: parent, id: node.id })
    await moveNode(transaction, node.id, parent, services.now())
    return { data: { ...(await nodeShape(transaction, node.id)), re_anchoring: NOTHING_RE_ANCHORED } }
  },
})
