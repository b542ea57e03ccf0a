import { ownText } from '../../schemas/domain/strangers.ts'
import { AssayError, readOperation, Type, writeOperation } from '../operations/define.ts'
import { createKey } from '../operations/keys/create-key.ts'
import { deleteKey } from '../operations/keys/delete-key.ts'
import { registryOf } from '../operations/registry.ts'
import { defineTool } from '../tools/define-tool.ts'

/** Small operations and a tool of them, for tests of the doors and the call path. */

const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'At most so many.' }))
const everyone = { role: 'viewer', audience: 'everyone' } as const

export const listNodes = readOperation({
  ...everyone,
  name: 'list_nodes',
  title: 'List nodes',
  summary: 'Lists the names of the nodes.',
  units: 1,
  input: Type.Object({ limit }),
  output: Type.Object({ items: Type.Array(ownText()) }),
  run: async ({ limit: most = 50 }, { caller, read }) => {
    const rows = await read(transaction =>
      transaction.query<{ name: string }>('select name from map_nodes where workspace_id = $1 order by id limit $2', [
        caller.workspaceId,
        most,
      ]),
    )
    return { data: { items: rows.map(({ name }) => name) } }
  },
})

const addNode = writeOperation({
  ...everyone,
  name: 'add_node',
  title: 'Add a node',
  summary: 'Adds a node.',
  effect: 'write',
  units: 3,
  role: 'member',
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 120, description: 'The name.' }),
    tags: Type.Optional(Type.Object({ colour: Type.Optional(Type.String()) })),
    kind: Type.Optional(Type.Union([Type.Literal('area'), Type.Literal('feature')])),
  }),
  output: Type.Object({ name: ownText(), secret: Type.Union([Type.String(), Type.Null()]) }),
  apply: async ({ name }, transaction, { caller }) => {
    await transaction.query('insert into map_nodes (id, workspace_id, name) values (gen_random_uuid(), $1, $2)', [
      caller.workspaceId,
      name,
    ])
    if (name === 'refused')
      throw new AssayError('conflict', 'This name is refused. Choose another.', { context: { allowed: ['others'] } })
    if (name === 'broken') throw new Error('detail that must stay inside')
    return { data: { name, secret: 'shown once' }, secretFields: ['secret'] }
  },
})

const removeNodes = writeOperation({
  ...everyone,
  name: 'remove_nodes',
  title: 'Remove all nodes',
  summary: 'Removes every node.',
  effect: 'destructive',
  units: 3,
  role: 'owner',
  input: Type.Object({}),
  output: Type.Object({}),
  apply: async (_input, transaction, { caller }) => {
    await transaction.query('delete from map_nodes where workspace_id = $1', [caller.workspaceId])
    return { data: {} }
  },
})

export const exampleOperations = registryOf([listNodes, addNode, removeNodes, createKey, deleteKey])

export const exampleTools = [
  defineTool({
    name: 'service_example',
    title: 'Example',
    description: 'Reads and writes nodes.',
    modes: { list: listNodes, add: addNode, clear: removeNodes },
  }),
]
