import { isDeepStrictEqual } from 'node:util'
import { nodeTexts, storeNodeVectors } from '../../../model/map/anchor.ts'
import { changeMap, updateNode } from '../../../model/map/nodes.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { version } from '../parts/fields.ts'
import {
  ChangedNode,
  nodeId,
  nodeShape,
  nodeTextFields,
  reAnchoring,
  readLockedNode,
  requireFreeName,
  staleNode,
} from './node.ts'

export const updateMapNode = writeOperation({
  name: 'update_map_node',
  title: 'Change a node of the product map',
  summary:
    'Changes a node’s name, description or examples; examples replace all that it had. It gets new vectors, and Signals are anchored by them; those that are here already follow in the background.',
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
    if (isDeepStrictEqual(node, { name: before.name, description: before.description, examples: before.examples })) {
      throw new AssayError(
        'invalid_input',
        'Nothing would change. Send a name, description or examples that differ from what the node has; service_map mode move_node moves it.',
      )
    }
    return { before, node, model: embedder.model, vectors: await embedder.embed(nodeTexts(node)) }
  },
  apply: async (_input, transaction, { caller, services }, { before, node, model, vectors }) => {
    const jobId = await changeMap(transaction, caller.workspaceId, caller.userName)
    const current = await readLockedNode(transaction, before.id, undefined)
    // The vectors are of the texts that were read before.
    if (current.version !== before.version) throw staleNode(current, before.version)
    const { id } = current
    await requireFreeName(transaction, { name: node.name, parentId: current.parent_id, id })
    await updateNode(transaction, id, node, services.now())
    await storeNodeVectors(transaction, caller.workspaceId, id, model, vectors)
    return { data: { ...(await nodeShape(transaction, id)), re_anchoring: reAnchoring(jobId) } }
  },
})
