import { countLevels, type NodeRow, nodeRows } from '../../../model/map/read-map.ts'
import { readBindings } from '../../../model/metrics/bindings.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { readOperation, Type } from '../define.ts'
import { cursor, limit, listDepth } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { FULL, NodeShape, nodeId, STANDARD, toNode } from './node.ts'

const OUTLINED = ['path', 'signals', 'subtree_signals', 'subtree_nodes'] as const

/** A node in an outline: its path works wherever an id does. */
const outlineOf = ({ path, signals, subtree_signals, subtree_nodes }: Pick<NodeRow, (typeof OUTLINED)[number]>) => ({
  path,
  signals,
  subtree_signals,
  subtree_nodes,
})

/** Approximate number of nodes that fit into an outline. */
const OUTLINE_NODES = 60

/** Levels that fit into an outline, at least one. */
const levelsOf = (nodes: readonly number[]): number => {
  let sum = 0
  const fits = nodes.findIndex(count => {
    sum += count
    return sum > OUTLINE_NODES
  })
  return fits === -1 ? nodes.length : Math.max(1, fits)
}

export const readMap = readOperation({
  name: 'read_map',
  title: 'The product map',
  summary:
    'Lists the nodes of the product taxonomy, depth first, with how many Signals are anchored to and below each and the newest point of each bound metric: the whole map, or one node with what is below it. Depth summary is an outline of as many levels as it holds; levels asks for others.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: Type.Optional(nodeId),
    levels: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'So many levels. Default all; of a summary, what fits.' }),
    ),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer({ description: 'Nodes of the levels shown.' }),
    nodes: Type.Integer({ description: 'Nodes of all levels.' }),
    levels: Type.Object({ shown: Type.Integer(), total: Type.Integer() }),
    items: listOf(NodeShape, OUTLINED),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const root = input.id === undefined ? null : (await resolveOne(transaction, 'node', input.id)).id
      const list = `map ${root ?? ''}`
      const position = decodeCursor(list, input.cursor, services.now())
      const byLevel = await countLevels(transaction, root)
      const summary = input.depth === 'summary'
      const shown = Math.min(input.levels ?? (summary ? levelsOf(byLevel) : byLevel.length), byLevel.length)
      const count = sum(byLevel.slice(0, shown))
      const page = { root, levels: shown, limit: pageSize(input) }
      const rows = await nodeRows(transaction, { ...page, offset: position.offset })
      const bindings = summary
        ? []
        : await readBindings(
            transaction,
            rows.map(({ id }) => id),
          )
      const full = input.depth === 'full' ? FULL : STANDARD
      const all = rows.map(row => toNode(row, bindings, full))
      const { items, note } = listed(input, all, { line: outlineOf })
      return {
        data: { count, nodes: sum(byLevel), levels: { shown, total: byLevel.length }, items },
        note,
        nextCursor: nextCursor(list, position, items.length, count),
      }
    }),
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
