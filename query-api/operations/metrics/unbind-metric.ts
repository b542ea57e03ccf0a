import { removeBinding } from '../../../model/metrics/bindings.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { NodeShape, nodeId, nodeShape } from '../map/node.ts'
import { metricId } from './metric.ts'

export const unbindMetric = writeOperation({
  name: 'unbind_metric',
  title: 'Take a metric off a node of the product map',
  summary: 'Takes a metric off a node. The metric and its points stay, and it can be bound again.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    id: nodeId,
    metric_id: metricId,
  }),
  output: NodeShape,
  apply: async (input, transaction) => {
    const { id, name } = await resolveOne(transaction, 'node', input.id)
    const metric = await resolveOne(transaction, 'metric', input.metric_id)
    if (!(await removeBinding(transaction, id, metric.id))) {
      throw new AssayError(
        'conflict',
        `"${metric.name}" is not bound to "${name}"; nothing was changed. service_map mode read shows what is.`,
      )
    }
    return { data: await nodeShape(transaction, id) }
  },
})
