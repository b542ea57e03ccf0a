import { Type } from 'typebox'
import { resolveOne } from '../../../model/references/resolve.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, depth, identifier, limit } from '../parts/fields.ts'
import { NodeShape, nodeShapes, TREE } from './node-shape.ts'

const COUNT = `
  with recursive tree as (
    select id from map_nodes where ($1::uuid is null and parent_id is null) or id = $1
    union all
    select child.id from tree join map_nodes child on child.parent_id = tree.id
  )
  select count(*)::integer as count from tree`

const brief = (node: NodeShape): NodeShape => ({ ...node, description: '', examples: [] })

export const mapRead = readOperation({
  name: 'read_map',
  title: 'The product map',
  summary:
    'Lists the nodes of the product taxonomy, depth first, with how many Signals are anchored to each and the newest point of each bound metric: the whole map, or one node (UUID or exact name) with what is below it. Depth summary leaves descriptions and examples out.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: Type.Optional(identifier), depth, limit, cursor }),
  output: Type.Object({ count: Type.Integer(), items: Type.Array(NodeShape) }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('map', input.cursor, services.now())
      const root = input.id === undefined ? null : (await resolveOne(transaction, 'node', input.id)).id
      const [counted] = await transaction.query<{ count: number }>(COUNT, [root])
      const count = counted?.count ?? 0
      const page = [root, input.limit ?? DEFAULT_LIMIT, position.offset]
      const items = await nodeShapes(transaction, `${TREE} limit $2 offset $3`, page)
      return {
        data: { count, items: input.depth === 'summary' ? items.map(brief) : [...items] },
        nextCursor: nextCursor('map', position, items.length, count),
      }
    }),
})
