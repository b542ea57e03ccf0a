import { embedded } from './pipeline/embedded.ts'
import { growth } from './pipeline/growth.ts'
import { hostile } from './pipeline/hostile.ts'
import { latency } from './pipeline/latency.ts'
import { recall } from './pipeline/recall.ts'
import { segments } from './pipeline/segments.ts'
import { throughput } from './pipeline/throughput.ts'
import { runParts } from './support/parts.ts'

/** The pipeline's benchmarks; what begins with `--` is for the part that takes flags. */
export const pipeline = (given: readonly string[]): Promise<void> => {
  const flags = given.filter(word => word.startsWith('--'))
  const named = given.filter(word => !word.startsWith('--'))
  const parts = { throughput, embedded, latency, segments, recall, growth, hostile: () => hostile(flags) }
  return runParts('pipeline', parts, named)
}
