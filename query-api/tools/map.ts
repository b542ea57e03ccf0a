import { mapAddNode } from '../operations/map/add-node.ts'
import { mapBindMetric } from '../operations/map/bind-metric.ts'
import { mapMoveNode } from '../operations/map/move-node.ts'
import { mapRead } from '../operations/map/read.ts'
import { mapRemoveNode } from '../operations/map/remove-node.ts'
import { mapUnbindMetric } from '../operations/map/unbind-metric.ts'
import { mapUpdateNode } from '../operations/map/update-node.ts'
import { defineTool } from './define-tool.ts'

export const serviceMap = defineTool({
  name: 'service_map',
  title: 'Read or edit the product map',
  description:
    'The product taxonomy, whose nodes Signals are anchored to by meaning. read: all of it, or one node with what is below it; evidence counts and metrics. add_node, update_node: each Signal is anchored again in the background. move_node: under another parent. remove_node: cannot be undone. bind_metric, unbind_metric: which metric webhooks a node shows, with direction and target.',
  modes: {
    read: mapRead,
    add_node: mapAddNode,
    update_node: mapUpdateNode,
    move_node: mapMoveNode,
    remove_node: mapRemoveNode,
    bind_metric: mapBindMetric,
    unbind_metric: mapUnbindMetric,
  },
})
