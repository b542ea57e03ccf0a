import { isDeepStrictEqual } from 'node:util'
import { nodeTexts, storeNodeVectors } from '../../../model/map/anchor.ts'
import { changeMap, lockMap, type NodeTexts, updateNode } from '../../../model/map/nodes.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { version } from '../parts/fields.ts'
import {
  ChangedNode,
  nodeId,
  nodeShape,
  nodeTextFields,
  RENAMED,
  reAnchoring,
  readLockedNode,
  requireFreeName,
  staleNode,
} from './node.ts'

const textsOf = ({ name, description, examples }: NodeTexts): NodeTexts => ({ name, description, examples })

export const updateMapNode = writeOperation({
  name: 'update_map_node',
  title: 'Change a node of the product map',
  summary:
    'Changes a node’s name, description or examples; examples replace all that it had. It gets new vectors, and Signals are anchored by them; of those that are here already, what it fits better follows in the background. A new name alone moves none of them.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ id: nodeId, ...nodeTextFields, name: Type.Optional(nodeTextFields.name), version }),
  output: ChangedNode,
  prepare: async (input, { read, services: { embedder } }) => {
    const before = await read(transaction => readLockedNode(transaction, input.id, input.version))
    const node = {
      name: input.name?.trim() ?? before.name,
      description: input.description ?? before.description,
      examples: input.examples ?? before.examples,
    }
    if (isDeepStrictEqual(node, textsOf(before))) {
      throw new AssayError(
        'invalid_input',
        'Nothing would change. Send a name, description or examples that differ from what the node has; service_map mode move_node moves it.',
      )
    }
    return { before, node, model: embedder.model, vectors: await embedder.embed(nodeTexts(node)) }
  },
  apply: async (_input, transaction, { caller, services }, { before, node, model, vectors }) => {
    const isRename = isDeepStrictEqual({ ...node, name: before.name }, textsOf(before))
    if (isRename) await lockMap(transaction, caller.workspaceId)
    const anchoring = isRename
      ? RENAMED
      : reAnchoring(await changeMap(transaction, caller.workspaceId, caller.userName))
    const current = await readLockedNode(transaction, before.id, undefined)
    // The vectors were computed from the version that was read before.
    if (current.version !== before.version) throw staleNode(current, before.version)
    const { id } = current
    await requireFreeName(transaction, { name: node.name, parentId: current.parent_id, id })
    await updateNode(transaction, id, node, services.now())
    await storeNodeVectors(transaction, caller.workspaceId, id, model, vectors)
    return { data: { ...(await nodeShape(transaction, id)), re_anchoring: anchoring } }
  },
})
