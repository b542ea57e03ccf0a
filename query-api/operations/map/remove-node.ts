import { Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { changeMap } from '../../../model/map/revision.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { writeOperation } from '../define.ts'
import { identifier, uuid } from '../parts/fields.ts'
import { nodeShape } from './node-shape.ts'

const REMOVE_NODE = `delete from map_nodes where id = $1`

export const mapRemoveNode = writeOperation({
  name: 'remove_map_node',
  title: 'Remove a node from the product map',
  summary:
    'Removes a node that has no nodes below it. Signals anchored to it stay; in the background each is anchored to what is nearest then. It cannot be undone.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ id: identifier }),
  output: Type.Object({ removed: Type.Object({ id: uuid, name: Type.String() }), released_signals: Type.Integer() }),
  apply: async (input, transaction, { caller }) => {
    await changeMap(transaction, caller.workspaceId, caller.userName)
    const { id } = await resolveOne(transaction, 'node', input.id)
    const node = await nodeShape(transaction, id)
    if (node.children > 0) {
      throw new AssayError(
        'conflict',
        `"${node.name}" has ${node.children} node(s) below it; nothing was removed. Remove those first: service_map mode read with this id lists them.`,
      )
    }
    await transaction.query(REMOVE_NODE, [id])
    return { data: { removed: { id, name: node.name }, released_signals: node.signals } }
  },
})
