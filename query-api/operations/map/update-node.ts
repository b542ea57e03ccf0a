import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { nodeTexts, storeNodeVectors } from '../../../model/map/node-vectors.ts'
import { changeMap } from '../../../model/map/revision.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { NodeId } from '../../../schemas/domain/ids.ts'
import { writeOperation } from '../define.ts'
import { identifier, version } from '../parts/fields.ts'
import { gone } from '../parts/gone.ts'
import { description, examples, name, requireFreeName } from './node-fields.ts'
import { NodeShape, nodeShape } from './node-shape.ts'

interface NodeRow {
  readonly id: NodeId
  readonly parent_id: string | null
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
  readonly version: number
}

const NODE = `select id, parent_id, name, description, examples, version from map_nodes where id = $1`

const UPDATE_NODE = `
  update map_nodes
  set name = $3, description = $4, examples = $5, updated_at = $6, version = version + 1
  where id = $1 and version = $2
  returning id`

const readNode = async (transaction: Transaction, identified: string): Promise<NodeRow> => {
  const { id } = await resolveOne(transaction, 'node', identified)
  const [node] = await transaction.query<NodeRow>(NODE, [id])
  return node ?? gone('map node')
}

const stale = (read: number): AssayError =>
  new AssayError(
    'conflict',
    `The node has changed since version ${read}. Nothing was written. Read it with service_map mode read and decide again.`,
  )

export const mapUpdateNode = writeOperation({
  name: 'update_map_node',
  title: 'Change a node of the product map',
  summary:
    'Changes a node’s name, description or examples; examples replace all that it had. Signals are anchored by the new texts; those that are here already follow in the background.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ id: identifier, name: Type.Optional(name), description, examples, version }),
  output: NodeShape,
  prepare: async (input, { read, services: { embedder } }) => {
    const before = await read(transaction => readNode(transaction, input.id))
    if (input.version !== undefined && input.version !== before.version) throw stale(input.version)
    const node = {
      name: input.name?.trim() ?? before.name,
      description: input.description ?? before.description,
      examples: input.examples ?? before.examples,
    }
    return { before, node, model: embedder.model, vectors: await embedder.embed(nodeTexts(node)) }
  },
  apply: async (_input, transaction, { caller, services }, { before, node, model, vectors }) => {
    await changeMap(transaction, caller.workspaceId, caller.userName)
    const { id, parent_id: parentId } = before
    await requireFreeName(transaction, { name: node.name, parentId, id })
    const values = [id, before.version, node.name, node.description, node.examples, services.now()]
    const [updated] = await transaction.query<{ id: NodeId }>(UPDATE_NODE, values)
    if (updated === undefined) throw stale(before.version)
    await storeNodeVectors(transaction, caller.workspaceId, id, model, vectors)
    return { data: await nodeShape(transaction, id) }
  },
})
