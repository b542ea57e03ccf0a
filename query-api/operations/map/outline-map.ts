import { countLevels, nodeRows } from '../../../model/map/read-map.ts'
import { readBindings } from '../../../model/metrics/bindings.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { readOperation, Type } from '../define.ts'
import { MetricShape, metricShape } from '../metrics/metric.ts'
import { inOneAnswer, nullable, uuid } from '../parts/fields.ts'

/** More than people keep; about a megabyte. */
export const MAX_OUTLINED = 5000

export const outlineMap = readOperation({
  name: 'outline_map',
  title: 'The product map as a picture',
  summary:
    'Answers the whole product map at once, depth first, siblings by name, for a picture of it: each node with its parent, how many Signals are anchored to it and below it, and which way its metrics went. At most 5,000 nodes.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({}),
  output: Type.Object({
    count: Type.Integer({ description: 'Nodes of the map.' }),
    items: inOneAnswer(
      '5,000 nodes at most',
      Type.Object({
        id: uuid,
        parent_id: nullable(uuid),
        name: ownText(),
        version: Type.Integer(),
        signals: Type.Integer({ description: 'Signals anchored to the node itself.' }),
        subtree_signals: Type.Integer({ description: 'Signals anchored to the node or to one below it.' }),
        metrics: Type.Array(MetricShape),
      }),
    ),
  }),
  run: (_input, { read }) =>
    read(async transaction => {
      const rows = await nodeRows(transaction, { root: null, levels: null, limit: MAX_OUTLINED, offset: 0 })
      const bindings = await readBindings(
        transaction,
        rows.map(({ id }) => id),
      )
      const bound = Map.groupBy(bindings, ({ node_id }) => node_id)
      const levels = await countLevels(transaction, null)
      const items = rows.map(({ id, parent_id, name, version, signals, subtree_signals }) => ({
        id,
        parent_id,
        name,
        version,
        signals,
        subtree_signals,
        metrics: (bound.get(id) ?? []).map(metricShape),
      }))
      return { data: { count: levels.reduce((sum, nodes) => sum + nodes, 0), items } }
    }),
})
