import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { readBindings } from '../../../model/metrics/bindings.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { gone } from '../parts/gone.ts'
import { MetricShape, metricShape } from './metric-shape.ts'

/** A node of the product map. */
export const NodeShape = Type.Object({
  id: uuid,
  parent_id: nullable(uuid),
  path: Type.Array(Type.String(), { description: 'Names from the root to the node itself.' }),
  name: Type.String(),
  description: Type.String(),
  examples: Type.Array(Type.String(), { description: 'Texts as senders write them, that belong here.' }),
  children: Type.Integer(),
  signals: Type.Integer({ description: 'Signals anchored to the node itself.' }),
  metrics: Type.Array(MetricShape, { description: 'The metrics bound to it, each with its newest point.' }),
  version: Type.Integer(),
})
export type NodeShape = Static<typeof NodeShape>

/** Nodes below `$1`, itself included, or all of them when it is null; depth first, siblings by name. */
export const TREE = `
  with recursive tree as (
    select id, array[name] as path from map_nodes where ($1::uuid is null and parent_id is null) or id = $1
    union all
    select child.id, tree.path || child.name from tree join map_nodes child on child.parent_id = tree.id
  )
  select map_nodes.id, parent_id, path, name, description, examples, version,
    (select count(*)::integer from map_nodes child where child.parent_id = map_nodes.id) as children,
    (select count(*)::integer from signals where node_id = map_nodes.id) as signals
  from tree join map_nodes using (id)
  order by path, id`

/** Rows of `TREE` with the metrics that are bound to them. */
export const nodeShapes = async (
  transaction: Transaction,
  statement: string,
  values: readonly unknown[],
): Promise<readonly NodeShape[]> => {
  const nodes = await transaction.query<Omit<NodeShape, 'metrics'>>(statement, values)
  const bindings = await readBindings(
    transaction,
    nodes.map(node => node.id),
  )
  return nodes.map(node => ({
    ...node,
    metrics: bindings.filter(binding => binding.node_id === node.id).map(metricShape),
  }))
}

/** A node as it is now, its path beginning at itself. */
export const nodeShape = async (transaction: Transaction, id: string): Promise<NodeShape> => {
  const [node] = await nodeShapes(transaction, `${TREE} limit 1`, [id])
  return node ?? gone('map node')
}
