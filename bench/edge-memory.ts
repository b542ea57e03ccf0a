import { setTimeout as delay } from 'node:timers/promises'
import { startStack } from '../infra/stack/index.ts'
import { MINUTE_MS } from '../schemas/domain/durations.ts'
import { startPrograms } from '../test/support/programs.ts'
import { sendLoad } from './support/k6.ts'
import { sumMetric } from './support/metrics.ts'
import { createTargets, quotasFor, untilKnown } from './support/targets.ts'

const ENDPOINTS = 2000
const RATE = 500
const VIRTUAL_USERS = 200
const MINUTES = 10
const STALL_SECONDS = 60

/** The edge's memory over minutes of load, and over a broker that stands still with its connections open. */
export const edgeMemory = async (): Promise<void> => {
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse'] })
  try {
    const installation = await startPrograms(stack, quotasFor(ENDPOINTS), ['ingest', 'query-api'])
    const edge = installation.programs.ingest[0]?.baseUrl ?? ''
    const created = await createTargets(installation.baseUrl, ENDPOINTS)
    const targets = created.map(target => ({ ...target, url: target.url.replace(installation.baseUrl, edge) }))
    await untilKnown([edge], ENDPOINTS)

    const tell = async (when: string): Promise<void> => {
      const [resident, heap, inFlight] = await Promise.all(
        ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes', 'assay_ingest_in_flight_bytes'].map(name =>
          sumMetric([edge], name),
        ),
      )
      const mebibytes = [resident, heap, inFlight].map(bytes => ((bytes ?? 0) / 1024 / 1024).toFixed(1))
      console.log(`${when.padEnd(24)} resident ${mebibytes[0]} MiB, heap ${mebibytes[1]}, in flight ${mebibytes[2]}`)
    }
    const load = (seconds: number) => sendLoad({ targets, seconds, virtualUsers: VIRTUAL_USERS, rate: RATE })

    await tell('before')
    let isLoading = true
    const loading = load(MINUTES * 60).finally(() => {
      isLoading = false
    })
    for (let minute = 1; isLoading && minute <= MINUTES; minute += 1) {
      await Promise.race([delay(MINUTE_MS), loading])
      await tell(`${minute} min at ${RATE}/s`)
    }
    const { accepted, refused, latency } = await loading
    console.log(`${accepted} accepted, ${refused} refused, p99 ${latency.p99.toFixed(1)} ms`)

    stack.stallEngine('kafka')
    const stalled = load(STALL_SECONDS)
    for (let part = 1; part <= 4; part += 1) {
      await delay((STALL_SECONDS * 1000) / 4)
      await tell(`stalled for ${(STALL_SECONDS / 4) * part} s`)
    }
    stack.resumeEngine('kafka')
    const during = await stalled
    console.log(`${during.accepted} accepted, ${during.refused} refused while the broker stood still`)
    const after = await load(60)
    console.log(`${after.accepted} accepted, ${after.refused} refused in the minute after`)
    await tell('a minute after')
    await installation.remove()
  } finally {
    await stack.stop()
  }
}
