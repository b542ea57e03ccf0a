import { growth } from './pipeline/growth.ts'
import { latency } from './pipeline/latency.ts'
import { recall } from './pipeline/recall.ts'
import { segments } from './pipeline/segments.ts'
import { throughput } from './pipeline/throughput.ts'

const PARTS: Readonly<Record<string, () => Promise<void>>> = { throughput, latency, segments, recall, growth }

/** The pipeline's benchmarks: the parts that are named, or all of them one after the other. */
export const pipeline = async (named: readonly string[]): Promise<void> => {
  for (const name of named.length === 0 ? Object.keys(PARTS) : named) {
    const part = PARTS[name]
    if (part === undefined) {
      throw new Error(`The pipeline's benchmark has no part "${name}". Choose from: ${Object.keys(PARTS).join(', ')}.`)
    }
    console.log(`\n== ${name}`)
    await part()
  }
}
