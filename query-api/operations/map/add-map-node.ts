import { nodeTexts, storeNodeVectors } from '../../../model/map/anchor.ts'
import { changeMap, insertNode } from '../../../model/map/nodes.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { Type, writeOperation } from '../define.ts'
import {
  ChangedNode,
  nodeShape,
  nodeTextFields,
  parentId,
  reAnchoring,
  requireFreeName,
  resolveParent,
} from './node.ts'

export const addMapNode = writeOperation({
  name: 'add_map_node',
  title: 'Add a node to the product map',
  summary:
    'Adds a part of the product to the taxonomy, below a parent or as a root. Each Signal is anchored to the node that is nearest to its text; those that are here already follow in the background.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ ...nodeTextFields, parent_id: Type.Optional(parentId) }),
  output: ChangedNode,
  prepare: async (input, { services: { embedder } }) => {
    const node = { name: input.name.trim(), description: input.description ?? '', examples: input.examples ?? [] }
    return { node, model: embedder.model, vectors: await embedder.embed(nodeTexts(node)) }
  },
  apply: async (input, transaction, { caller, services }, { node, model, vectors }) => {
    await requireQuota(transaction, services.quotas, 'mapNodes', caller.workspaceId)
    const jobId = await changeMap(transaction, caller.workspaceId, caller.userName)
    const parent = await resolveParent(transaction, input.parent_id ?? null)
    await requireFreeName(transaction, { name: node.name, parentId: parent, id: null })
    const { workspaceId } = caller
    const id = await insertNode(transaction, workspaceId, { ...node, parentId: parent, at: services.now() })
    await storeNodeVectors(transaction, workspaceId, id, model, vectors)
    return { data: { ...(await nodeShape(transaction, id)), re_anchoring: reAnchoring(jobId) } }
  },
})
