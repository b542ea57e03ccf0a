import { outliveReaders } from '../infra/runtime/closed-reader.ts'
import { app } from './app.ts'
import { edge, edgeMemory } from './edge.ts'
import { evidence } from './evidence.ts'
import { edges } from './machines/edges.ts'
import { processors } from './machines/processors.ts'
import { embedded } from './pipeline/embedded.ts'
import { growth } from './pipeline/growth.ts'
import { hostile } from './pipeline/hostile.ts'
import { latency } from './pipeline/latency.ts'
import { recall } from './pipeline/recall.ts'
import { rewriting } from './pipeline/rewriting.ts'
import { telemetry } from './pipeline/telemetry.ts'
import { themes } from './pipeline/themes.ts'
import { segments, throughput } from './pipeline/throughput.ts'
import { activity } from './query/activity.ts'
import { endpoint } from './query/endpoint.ts'
import { reads } from './query/reads.ts'
import { all, quick } from './report/run.ts'
import { smoke } from './smoke.ts'
import { noSuch, runParts, usageProblem } from './support/usage.ts'

/** The pipeline's benchmarks; what begins with `--` is for the part that takes flags. */
const pipeline = (given: readonly string[]): Promise<void> => {
  const flags = given.filter(word => word.startsWith('--'))
  const named = given.filter(word => !word.startsWith('--'))
  const parts = {
    throughput: () => throughput(sizeOf(flags)),
    embedded,
    latency,
    segments,
    recall,
    growth,
    telemetry,
    themes,
    hostile: () => hostile(flags),
    rewriting: () => rewriting(flags),
  }
  return runParts('pipeline', parts, named)
}

/** The query API's benchmarks. */
const query = (given: readonly string[]): Promise<void> => {
  const named = given.filter(word => !word.startsWith('--'))
  const parts = {
    activity: () => activity(given),
    endpoint: () => endpoint(sizeOf(given)),
    reads: () => reads(given),
  }
  return runParts('query', parts, named)
}

/** Some benchmarks have a small form, for a change under way. */
const sizeOf = (flags: readonly string[]): 'full' | 'quick' => (flags.includes('--quick') ? 'quick' : 'full')

/** The benchmarks by name; each prints what it measured. */
const BENCHMARKS: Readonly<Record<string, (parts: readonly string[]) => Promise<void>>> = {
  all,
  app,
  edge: flags => edge(sizeOf(flags)),
  'edge-memory': edgeMemory,
  evidence,
  machines: named => runParts('machines', { processors, edges }, named),
  pipeline,
  query,
  quick,
  smoke,
}

outliveReaders()
const name = process.argv[2] ?? ''
try {
  const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined
  if (benchmark === undefined) throw noSuch(`There is no benchmark "${name}".`, name, BENCHMARKS)
  await benchmark(process.argv.slice(3))
} catch (error) {
  const problem = usageProblem(error)
  if (problem === null) throw error
  console.error(problem)
  process.exitCode = 1
}
