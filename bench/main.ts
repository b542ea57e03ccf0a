import { app } from './app.ts'
import { edge } from './edge.ts'
import { edgeMemory } from './edge-memory.ts'
import { pipeline } from './pipeline.ts'
import { query } from './query.ts'
import { smoke } from './smoke.ts'

/** The benchmarks by name; each prints what it measured. */
const BENCHMARKS: Readonly<Record<string, (parts: readonly string[]) => Promise<void>>> = {
  app,
  edge,
  'edge-memory': edgeMemory,
  pipeline,
  query,
  smoke,
}

const name = process.argv[2] ?? ''
const benchmark = BENCHMARKS[name]
if (benchmark === undefined) {
  console.error(`There is no benchmark "${name}". Choose one: ${Object.keys(BENCHMARKS).join(', ')}.`)
  process.exitCode = 1
} else {
  await benchmark(process.argv.slice(3))
}
