import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { type NodeRow, nodeRows } from '../../../model/map/read-map.ts'
import { type MetricBinding, readBindings } from '../../../model/metrics/bindings.ts'
import { MetricShape, metricShape } from '../metrics/metric-shape.ts'
import { cut, excerpt } from '../parts/excerpt.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { throwDeleted } from '../parts/throw-deleted.ts'

/** A node of the product map. */
export const NodeShape = Type.Object({
  id: uuid,
  parent_id: nullable(uuid),
  path: Type.Array(Type.String(), { description: 'Names from the root to the node itself.' }),
  name: Type.String(),
  description: Type.String(),
  description_truncation: cut,
  examples: Type.Array(Type.String(), { description: 'Texts as senders write them, that belong here.' }),
  examples_truncation: cut,
  children: Type.Integer(),
  subtree_nodes: Type.Integer(),
  signals: Type.Integer({ description: 'Signals anchored to the node itself.' }),
  subtree_signals: Type.Integer({ description: 'Signals anchored to the node or to one below it.' }),
  metrics: Type.Array(MetricShape, { description: 'The metrics bound to it, each with its newest point.' }),
  version: Type.Integer(),
})
export type NodeShape = Static<typeof NodeShape>

/** How much of its texts a node shows beside others. */
interface Shown {
  readonly description: number
  readonly examples: number
  /** Characters of each example. */
  readonly example: number
}

export const STANDARD: Shown = { description: 280, examples: 3, example: 120 }
export const FULL: Shown = { description: 1500, examples: 8, example: 150 }

export const toNode = (row: NodeRow, bindings: readonly MetricBinding[], shown: Shown): NodeShape => {
  const rest = `service_lookup mode node, id ${row.id}, list texts`
  const { text: description, text_truncation: description_truncation } = excerpt(
    row.description,
    shown.description,
    rest,
  )
  const examples = row.examples.slice(0, shown.examples).map(example => excerpt(example, shown.example, rest).text)
  const [whole, kept] = [row.examples.join('').length, examples.join('').length]
  return {
    ...row,
    description,
    description_truncation,
    examples,
    examples_truncation:
      whole === kept ? null : { shown_characters: kept, total_characters: whole, full_text_call: rest },
    metrics: bindings.filter(({ node_id }) => node_id === row.id).map(metricShape),
  }
}

/** A node as it is now, whole but for very long texts. */
export const nodeShape = async (transaction: Transaction, id: string): Promise<NodeShape> => {
  const [row] = await nodeRows(transaction, { root: id, levels: 1, limit: 1, offset: 0 })
  if (row === undefined) return throwDeleted('map node')
  return toNode(row, await readBindings(transaction, [id]), FULL)
}
