import { activity } from './query/activity.ts'
import { endpoint } from './query/endpoint.ts'
import { reads } from './query/reads.ts'
import { runParts } from './support/parts.ts'

/** The query API's benchmarks. */
export const query = (named: readonly string[]): Promise<void> =>
  runParts('query', { activity, endpoint, reads }, named)
