import { embedded } from './pipeline/embedded.ts'
import { growth } from './pipeline/growth.ts'
import { latency } from './pipeline/latency.ts'
import { recall } from './pipeline/recall.ts'
import { segments } from './pipeline/segments.ts'
import { throughput } from './pipeline/throughput.ts'
import { runParts } from './support/parts.ts'

/** The pipeline's benchmarks. */
export const pipeline = (named: readonly string[]): Promise<void> =>
  runParts('pipeline', { throughput, embedded, latency, segments, recall, growth }, named)
