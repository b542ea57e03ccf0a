import type { Output } from '../../api/client.ts'

/** A metric as its node shows it. */
export type BoundMetric = Output<'lookup_node'>['node']['metrics'][number]
