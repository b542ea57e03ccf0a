import { mapAddNode } from '../operations/map/add-node.ts'
import { mapRead } from '../operations/map/read.ts'
import { mapRemoveNode } from '../operations/map/remove-node.ts'
import { mapUpdateNode } from '../operations/map/update-node.ts'
import { defineTool } from './define-tool.ts'

export const serviceMap = defineTool({
  name: 'service_map',
  title: 'Read or edit the product map',
  description:
    'The product taxonomy, whose nodes Signals are anchored to by meaning. read: the whole map, or one node with what is below it. add_node, update_node: name, description and examples of what people write about it; Signals received from then on are anchored by them. remove_node: a node without nodes below it; it cannot be undone.',
  modes: {
    read: mapRead,
    add_node: mapAddNode,
    update_node: mapUpdateNode,
    remove_node: mapRemoveNode,
  },
})
