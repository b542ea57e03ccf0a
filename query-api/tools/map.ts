import { mapAddNode } from '../operations/map/add-node.ts'
import { mapBindMetric } from '../operations/map/bind-metric.ts'
import { mapRead } from '../operations/map/read.ts'
import { mapRemoveNode } from '../operations/map/remove-node.ts'
import { mapUnbindMetric } from '../operations/map/unbind-metric.ts'
import { mapUpdateNode } from '../operations/map/update-node.ts'
import { defineTool } from './define-tool.ts'

export const serviceMap = defineTool({
  name: 'service_map',
  title: 'Read or edit the product map',
  description:
    'The product taxonomy, whose nodes Signals are anchored to by meaning. read: the whole map, or one node with what is below it. add_node, update_node: name, description and examples of what people write about it; Signals received from then on are anchored by them. remove_node: a node without nodes below it; it cannot be undone. bind_metric, unbind_metric: which metric webhooks a node shows, and which way is good.',
  modes: {
    read: mapRead,
    add_node: mapAddNode,
    update_node: mapUpdateNode,
    remove_node: mapRemoveNode,
    bind_metric: mapBindMetric,
    unbind_metric: mapUnbindMetric,
  },
})
