import { countOtherBindings, readBindings, storeBinding } from '../../../model/metrics/bindings.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { METRIC_DIRECTIONS } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { NodeShape, nodeId, nodeShape } from '../map/node.ts'
import { expected, requireExpected } from '../parts/expected.ts'
import { nullable, oneOf } from '../parts/fields.ts'
import { metricId } from './metric.ts'

/** Keeps a node and its metrics within one answer. */
const MAX_METRICS = 20

export const bindMetric = writeOperation({
  name: 'bind_metric',
  title: 'Bind a metric to a node of the product map',
  summary:
    'Binds a metric webhook to a node, so that the node shows its newest point and whether it got better. Bind it again to change direction, name or target.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['expected'],
  input: Type.Object({
    id: nodeId,
    metric_id: metricId,
    direction: oneOf(METRIC_DIRECTIONS, { description: 'The direction that is good.' }),
    metric_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CHARACTERS.name,
        pattern: '\\S',
        description: 'Its name at this node. The webhook’s own unless given.',
      }),
    ),
    target: Type.Optional(nullable(Type.Number({ description: 'The value to reach; null for none.' }))),
    expected: expected({
      direction: oneOf(METRIC_DIRECTIONS),
      name: Type.String(),
      target: nullable(Type.Number()),
    }),
  }),
  output: NodeShape,
  apply: async (input, transaction) => {
    const { id } = await resolveOne(transaction, 'node', input.id)
    const metric = await resolveOne(transaction, 'metric', input.metric_id)
    if ((await countOtherBindings(transaction, id, metric.id)) >= MAX_METRICS) {
      throw new AssayError(
        'conflict',
        `A node has at most ${MAX_METRICS} metrics; nothing was bound. Take one off with service_map mode unbind_metric, or bind it to a node below.`,
      )
    }
    const bound = (await readBindings(transaction, [id])).find(each => each.metric_id === metric.id)
    if (bound !== undefined) {
      const { name, direction, target } = bound
      requireExpected('The binding has changed since you read it.', input.expected, { name, direction, target })
    }
    const { direction, target } = input
    const binding = { node: id, metric: metric.id, name: input.metric_name?.trim(), direction, target }
    if (!(await storeBinding(transaction, binding))) {
      throw new AssayError('conflict', `The webhook of "${metric.name}" is deleted; nothing was bound.`)
    }
    return { data: await nodeShape(transaction, id) }
  },
})
