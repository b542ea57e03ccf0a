import { addMapNode } from '../operations/map/add-map-node.ts'
import { moveMapNode } from '../operations/map/move-map-node.ts'
import { moveSignal } from '../operations/map/move-signal.ts'
import { readMap } from '../operations/map/read-map.ts'
import { removeMapNode } from '../operations/map/remove-map-node.ts'
import { updateMapNode } from '../operations/map/update-map-node.ts'
import { bindMetric } from '../operations/metrics/bind-metric.ts'
import { unbindMetric } from '../operations/metrics/unbind-metric.ts'
import { defineTool } from './define-tool.ts'

export const serviceMap = defineTool({
  name: 'service_map',
  title: 'Read or edit the product map',
  description:
    'The product taxonomy, whose nodes Signals are anchored to by meaning. read: all of it, or what is below a node. add_node, update_node: each Signal is anchored again in the background. move_node: under another parent. move_signal: teaches the node. remove_node. bind_metric, unbind_metric: which metrics a node shows, with direction and target.',
  modes: {
    read: readMap,
    add_node: addMapNode,
    update_node: updateMapNode,
    move_node: moveMapNode,
    move_signal: moveSignal,
    remove_node: removeMapNode,
    bind_metric: bindMetric,
    unbind_metric: unbindMetric,
  },
})
