import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { STEPS } from '../schemas/domain/vocabulary.ts'
import { startInstallation } from '../test/support/installation.ts'
import { type LoadResult, sendLoad } from './support/k6.ts'
import { sumMetric } from './support/metrics.ts'
import { createTargets } from './support/targets.ts'

const ENDPOINTS = 400
const SECONDS = 8
const VIRTUAL_USERS = 32
const DRAIN_DEADLINE_MS = 300_000

/** Bytes of the files below a directory. */
const sizeOf = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

interface Drained {
  readonly inserted: number
  readonly seconds: number
}

/** Signals that came out of `insert`: as snippets or, repeated, as occurrences. */
const insertedSoFar = (baseUrl: string): Promise<number> =>
  sumMetric(baseUrl, 'assay_step_outcomes_total', { step: 'insert' })

/** Waits until the edge has heard of the new endpoints, so that no request pays for a look-up. */
const waitUntilKnown = async (baseUrl: string): Promise<void> => {
  while ((await sumMetric(baseUrl, 'assay_ingest_sources')) < ENDPOINTS) await delay(250)
}

/** Waits until the pipeline has inserted everything that was accepted since `startedAt`. */
const drain = async (baseUrl: string, accepted: number, before: number, startedAt: number): Promise<Drained> => {
  const deadline = Date.now() + DRAIN_DEADLINE_MS
  let inserted = 0
  while (Date.now() < deadline) {
    inserted = (await insertedSoFar(baseUrl)) - before
    if (inserted >= accepted) break
    await delay(250)
  }
  return { inserted, seconds: (Date.now() - startedAt) / 1000 }
}

const reportLoad = ({ latency, accepted, refused, seconds }: LoadResult, cpuSeconds: number): void => {
  const [median, p95, p99, max] = [latency.median, latency.p95, latency.p99, latency.max].map(ms => ms.toFixed(1))
  console.log(`edge      ${(accepted / seconds).toFixed(0)} accepted/s over ${seconds} s with ${VIRTUAL_USERS} clients`)
  console.log(`          latency ms: median ${median}, p95 ${p95}, p99 ${p99}, max ${max}`)
  console.log(
    `          ${accepted} accepted, ${refused} refused; ${cpuSeconds.toFixed(1)} CPU s of the process, pipeline included`,
  )
}

/** What each step took of a signal, on average. */
const reportPipeline = async (baseUrl: string, { inserted, seconds }: Drained): Promise<void> => {
  console.log(
    `pipeline  ${(inserted / seconds).toFixed(0)} signals/s, from the first request to the last row: ${inserted} in ${seconds.toFixed(1)} s`,
  )
  const shares = await Promise.all(
    STEPS.map(async step => {
      const spent = await sumMetric(baseUrl, 'assay_step_duration_seconds_sum', { step })
      return `${step} ${((spent * 1000) / inserted).toFixed(2)}`
    }),
  )
  console.log(`          ms a signal: ${shares.join(', ')}`)
}

/** What a signal takes on disk, store by store. The log gives its part back when its retention is over. */
const reportDisk = (directory: string, signals: number): void => {
  const shares = ['log', 'postgres', 'clickhouse'].map(
    store => `${store} ${(sizeOf(join(directory, store)) / 1024 / signals).toFixed(1)}`,
  )
  console.log(`disk      KiB a signal: ${shares.join(', ')}`)
}

/** The embedded default under load: how fast the edge answers, and how fast signals become rows. */
export const smoke = async (): Promise<void> => {
  const installation = await startInstallation()
  try {
    const { baseUrl } = installation
    const targets = await createTargets(baseUrl, ENDPOINTS)
    await waitUntilKnown(baseUrl)
    const before = await insertedSoFar(baseUrl)
    const cpuBefore = await sumMetric(baseUrl, 'process_cpu_seconds_total')
    const startedAt = Date.now()
    const load = await sendLoad({ targets, seconds: SECONDS, virtualUsers: VIRTUAL_USERS })
    const cpuSeconds = (await sumMetric(baseUrl, 'process_cpu_seconds_total')) - cpuBefore
    reportLoad(load, cpuSeconds)
    const drained = await drain(baseUrl, load.accepted, before, startedAt)
    await reportPipeline(baseUrl, drained)
    reportDisk(installation.dataDirectory, drained.inserted)
  } finally {
    await installation.remove()
  }
}
