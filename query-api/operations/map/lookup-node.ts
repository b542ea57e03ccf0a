import { childrenOf, subtreeOf } from '../../../model/map/nodes.ts'
import { claimsOfNodes, MAX_DEPTH, nodeRows, signalsOfNodes } from '../../../model/map/read-map.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { readOperation, Type, throwDeleted } from '../define.ts'
import { ANSWER_TOKENS, estimateTokens, SUMMARY_TOKENS, takeWithinBudget } from '../parts/excerpt.ts'
import { cursor, type Depth, depth, limit, oneOf, uuid } from '../parts/fields.ts'
import { decodeCursor, encodeCursor } from '../parts/lists.ts'
import { Notes, notesOf } from '../parts/note-shape.ts'
import { FULL, NodeShape, nodeId, STANDARD, toNode } from './node.ts'
import {
  NodeClaim,
  NodeMetric,
  NodeSignal,
  NodeText,
  nodeMetrics,
  nodeTextPieces,
  toNodeClaim,
  toNodeSignal,
} from './node-parts.ts'

const LISTS = ['signals', 'claims', 'texts'] as const

/** How much each depth shows of the lists that were not asked for, and of the one that was. */
const SHOWN = {
  summary: {
    items: 0,
    listed: 2,
    characters: 100,
    metrics: 1,
    points: 0,
    texts: { description: 120, examples: 0, example: 0 },
  },
  standard: { items: 3, listed: 10, characters: 280, metrics: 20, points: 5, texts: STANDARD },
  full: { items: 5, listed: 20, characters: 1000, metrics: 20, points: 20, texts: FULL },
} as const satisfies Readonly<Record<Depth, object>>

const MAX_CHILDREN = 50

const listed = <Item extends Parameters<typeof Type.Array>[0]>(item: Item, description: string) =>
  Type.Object({ count: Type.Integer(), items: Type.Array(item) }, { description })

export const lookupNode = readOperation({
  name: 'lookup_node',
  title: 'A node of the product map with its evidence',
  summary:
    'Answers one node by UUID, name or path (Billing / Invoices): its texts, what is anchored to it and below it with the newest Signals and the claims behind them, and its metrics with their recent points and where they stand against their target. list says which list goes on with limit and cursor; texts are description and examples, whole.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: nodeId,
    list: Type.Optional(oneOf(LISTS, { description: 'Default signals. What limit and cursor are of.' })),
    depth,
    limit,
    cursor,
  }),
  output: Type.Object({
    node: Type.Object({ ...NodeShape.properties, metrics: Type.Array(NodeMetric) }),
    children: Type.Array(Type.Object({ id: uuid, name: Type.String() }), {
      description: 'The first 50 by name; none with depth summary.',
    }),
    signals: listed(NodeSignal, 'Anchored to the node or below it, the newest first; the newest 2,000 can be listed.'),
    claims: listed(NodeClaim, 'What the newest 2,000 Signals here are evidence of, those with most of them first.'),
    notes: Notes,
    texts: listed(NodeText, 'Description and examples in pieces; only with list texts.'),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const chosen = input.depth ?? 'standard'
      const list = input.list ?? 'signals'
      const shown = SHOWN[chosen]
      const name = `node_${list}`
      const position = decodeCursor(name, input.cursor, services.now())
      const { id } = await resolveOne(transaction, 'node', input.id)
      const [row] = await nodeRows(transaction, { root: id, levels: 1, limit: 1, offset: 0 })
      if (row === undefined) return throwDeleted('map node')
      const wanted = (one: (typeof LISTS)[number]) =>
        one === list
          ? { limit: input.limit ?? shown.listed, offset: position.offset }
          : { limit: shown.items, offset: 0 }

      const metrics = await nodeMetrics(transaction, id, shown)
      const node = { ...toNode(row, [], shown.texts), metrics }
      const nodes = await subtreeOf(transaction, id)
      const signals = await signalsOfNodes(transaction, nodes, wanted('signals'))
      const { count, claims } = await claimsOfNodes(transaction, nodes, wanted('claims'))
      const pieces = nodeTextPieces(row)
      const children = chosen === 'summary' ? [] : (await childrenOf(transaction, id)).slice(0, MAX_CHILDREN)
      const data = {
        node,
        children,
        signals: { count: row.subtree_signals, items: signals.map(signal => toNodeSignal(signal, shown.characters)) },
        claims: { count, items: claims.map(toNodeClaim) },
        notes: await notesOf(transaction, { kind: 'node', id }, chosen),
        texts: {
          count: pieces.length,
          items:
            list === 'texts' ? pieces.slice(position.offset, position.offset + (input.limit ?? pieces.length)) : [],
        },
      }
      const others = estimateTokens({ ...data, [list]: { count: 0, items: [] } })
      const budget = chosen === 'summary' ? SUMMARY_TOKENS : ANSWER_TOKENS
      const items = takeWithinBudget<unknown>(data[list].items, budget - others)
      const end = position.offset + items.length
      const reachable = list === 'signals' ? Math.min(data.signals.count, MAX_DEPTH) : data[list].count
      return {
        data: { ...data, [list]: { count: data[list].count, items } },
        nextCursor: items.length > 0 && end < reachable ? encodeCursor(name, { offset: end, at: position.at }) : null,
      }
    }),
})
