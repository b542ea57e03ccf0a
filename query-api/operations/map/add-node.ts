import { Type } from 'typebox'
import { nodeTexts, storeNodeVectors } from '../../../model/map/node-vectors.ts'
import { changeMap } from '../../../model/map/revision.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { type NodeId, newId } from '../../../schemas/domain/ids.ts'
import { writeOperation } from '../define.ts'
import { identifier } from '../parts/fields.ts'
import { description, examples, name, requireFreeName } from './node-fields.ts'
import { NodeShape, nodeShape } from './node-shape.ts'

const INSERT_NODE = `
  insert into map_nodes (id, workspace_id, parent_id, name, description, examples, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)`

export const mapAddNode = writeOperation({
  name: 'add_map_node',
  title: 'Add a node to the product map',
  summary:
    'Adds a part of the product to the taxonomy, below a parent or as a root. Each Signal is anchored to the node that is nearest to its text; those that are here already follow in the background.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    name,
    description,
    examples,
    parent_id: Type.Optional(
      Type.With(identifier, { description: 'The parent: UUID or exact name. Without it, a root.' }),
    ),
  }),
  output: NodeShape,
  prepare: async (input, { services: { embedder } }) => {
    const node = { name: input.name.trim(), description: input.description ?? '', examples: input.examples ?? [] }
    return { node, model: embedder.model, vectors: await embedder.embed(nodeTexts(node)) }
  },
  apply: async (input, transaction, { caller, services }, { node, model, vectors }) => {
    await changeMap(transaction, caller.workspaceId, caller.userName)
    const parentId = input.parent_id === undefined ? null : (await resolveOne(transaction, 'node', input.parent_id)).id
    await requireFreeName(transaction, { name: node.name, parentId, id: null })
    const id = newId<NodeId>()
    const { workspaceId } = caller
    const values = [id, workspaceId, parentId, node.name, node.description, node.examples, services.now()]
    await transaction.query(INSERT_NODE, values)
    await storeNodeVectors(transaction, workspaceId, id, model, vectors)
    return { data: await nodeShape(transaction, id) }
  },
})
