import type { Output } from '../../api/client.ts'

/** A metric that is bound to a node, as the node’s look-up shows it. */
export type BoundMetric = Output<'lookup_node'>['node']['metrics'][number]
