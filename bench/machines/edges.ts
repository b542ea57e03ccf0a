import { cpus } from 'node:os'
import { startStack } from '../../infra/stack/index.ts'
import { plural } from '../../schemas/domain/for-people.ts'
import { type ProgramName, startPrograms } from '../../test/support/programs.ts'
import { sendLoad } from '../support/load.ts'
import { recordFigure } from '../support/measuring.ts'
import { sumMetric } from '../support/metrics.ts'
import { withShares } from '../support/share-of-core.ts'
import { createTargets, quotasFor, untilKnown } from '../support/subject.ts'

const SHARE = 0.1
const COUNTS = [1, 2, 4]
const ENDPOINTS = 800
const SECONDS = 10
/** For each edge: one that is given fewer has smaller batches. */
const VIRTUAL_USERS = 32

/** Since the machine started, of all its cores, in milliseconds. */
const machineTimes = (): { readonly idle: number; readonly all: number } => {
  const times = cpus().map(cpu => cpu.times)
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, each) => sum + Object.values(each).reduce((one, other) => one + other, 0), 0),
  }
}

/** What more edges bring, each with a share of a core, which count their senders' requests together in Valkey. */
export const edges = async (): Promise<void> => {
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse', 'valkey'] })
  try {
    const names: readonly ProgramName[] = [
      ...Array.from({ length: Math.max(...COUNTS) }, () => 'ingest' as const),
      'query-api',
    ]
    const installation = await startPrograms(stack, quotasFor(ENDPOINTS), names)
    try {
      const targets = await createTargets(installation.baseUrl, ENDPOINTS)
      const all = installation.programs.ingest
      for (const edge of all) await untilKnown([edge.baseUrl], ENDPOINTS)
      const spread = (count: number) =>
        targets.map(({ url, secret }, place) => ({
          url: `${all[place % count]?.baseUrl}${new URL(url).pathname}`,
          secret,
        }))
      await sendLoad({ targets: spread(all.length), seconds: SECONDS, virtualUsers: VIRTUAL_USERS })
      await withShares(SHARE, async limit => {
        limit(all)
        for (const count of COUNTS) {
          const loaded = all.slice(0, count).map(({ baseUrl }) => baseUrl)
          const cpuSeconds = () => sumMetric(loaded, 'process_cpu_seconds_total')
          const [spentBefore, before] = [await cpuSeconds(), machineTimes()]
          const { accepted, refused, seconds, latency } = await sendLoad({
            targets: spread(count),
            seconds: SECONDS,
            virtualUsers: VIRTUAL_USERS * count,
          })
          const [spent, after] = [(await cpuSeconds()) - spentBefore, machineTimes()]
          const idle = (after.idle - before.idle) / (after.all - before.all)
          const cost = (spent / accepted) * 1e6
          recordFigure('machines: edges: accepted', accepted / seconds, 'requests/s', { at: count })
          recordFigure('machines: edges: CPU', cost, 'µs a request', { at: count })
          console.log(
            `${count} ${plural(count, 'edge')} at ${SHARE} of a core: ${(accepted / seconds).toFixed(0)} accepted/s, ${refused} refused, p99 ${latency.p99.toFixed(0)} ms; they took ${(spent / seconds).toFixed(2)} of a core, ${cost.toFixed(0)} µs a request, and ${(idle * 100).toFixed(0)} % of the machine was idle`,
          )
        }
      })
    } finally {
      await installation.remove()
    }
  } finally {
    await stack.stop()
  }
}
