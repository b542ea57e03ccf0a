import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { listEntries } from '../infra/runtime/list-entries.ts'
import { STEPS } from '../schemas/domain/vocabulary.ts'
import { type LoadResult, sendLoad } from './support/load.ts'
import { recordFigure } from './support/measuring.ts'
import { shareOfEach, sumMetric } from './support/metrics.ts'
import { createTargets, quotasFor, SUBJECTS, type Subject, untilKnown } from './support/subject.ts'

const ENDPOINTS = 400
const SECONDS = 8
const VIRTUAL_USERS = 32
const DRAIN_DEADLINE_MS = 300_000

/** Bytes of the files below a directory. The stores go on meanwhile: what is gone again counts nothing. */
const sizeOf = async (directory: string): Promise<number> =>
  (await listEntries(directory))
    .filter(({ entry }) => entry.isFile())
    .reduce((sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

interface Drained {
  readonly inserted: number
  readonly seconds: number
}

/** Signals that came out of `insert`: as snippets or, repeated, as occurrences. */
const insertedSoFar = (programs: readonly string[]): Promise<number> =>
  sumMetric(programs, 'assay_step_outcomes_total', { step: 'insert' })

/** Waits until the pipeline has inserted everything that was accepted since `startedAt`. */
const drain = async (
  programs: readonly string[],
  accepted: number,
  before: number,
  startedAt: number,
): Promise<Drained> => {
  const deadline = Date.now() + DRAIN_DEADLINE_MS
  let inserted = 0
  while (Date.now() < deadline) {
    inserted = (await insertedSoFar(programs)) - before
    if (inserted >= accepted) break
    // Each look asks the database whether it is well, and bulk waits behind that.
    await delay(1000)
  }
  return { inserted, seconds: (Date.now() - startedAt) / 1000 }
}

const reportLoad = ({ latency, accepted, refused, seconds }: LoadResult, cpuSeconds: number): void => {
  const [median, p95, p99, max] = [latency.median, latency.p95, latency.p99, latency.max].map(ms => ms.toFixed(1))
  console.log(`edge      ${(accepted / seconds).toFixed(0)} accepted/s over ${seconds} s with ${VIRTUAL_USERS} clients`)
  console.log(`          latency ms: median ${median}, p95 ${p95}, p99 ${p99}, max ${max}`)
  console.log(
    `          ${accepted} accepted, ${refused} refused; ${cpuSeconds.toFixed(1)} CPU s of all programs, pipeline included`,
  )
}

/** What each step took of a signal, on average. */
const reportPipeline = async (programs: readonly string[], { inserted, seconds }: Drained): Promise<void> => {
  console.log(
    `pipeline  ${(inserted / seconds).toFixed(0)} signals/s, from the first request to the last row: ${inserted} in ${seconds.toFixed(1)} s`,
  )
  const shares = await Promise.all(
    STEPS.map(async step => {
      const spent = await sumMetric(programs, 'assay_step_duration_seconds_sum', { step })
      return `${step} ${((spent * 1000) / inserted).toFixed(2)}`
    }),
  )
  console.log(`          ms a signal: ${shares.join(', ')}`)
}

/**
 * What a signal takes on disk, store by store, beyond what was there before. The log gives its part back when its
 * retention is over.
 */
const reportDisk = (
  name: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  signals: number,
): void => {
  const shares = shareOfEach(before, after, signals).map(([store, bytes]) => {
    const share = bytes / 1024
    recordFigure(`smoke: ${name}: ${store}`, share, 'KiB a signal')
    return `${store} ${share.toFixed(1)}`
  })
  console.log(`disk      KiB a signal: ${shares.join(', ')}`)
}

const sizesOf = async (disks: Subject['disks']): Promise<Readonly<Record<string, number>>> => {
  const sizes = Object.entries(disks).map(async ([store, directory]) => [store, await sizeOf(directory)] as const)
  return Object.fromEntries(await Promise.all(sizes))
}

const measure = async ({ name, baseUrl, edgeUrl, programs, disks }: Subject): Promise<void> => {
  console.log(`\n${name}`)
  const created = await createTargets(baseUrl, ENDPOINTS)
  const targets = created.map(target => ({ ...target, url: target.url.replace(baseUrl, edgeUrl) }))
  await untilKnown(programs, ENDPOINTS)
  const before = await insertedSoFar(programs)
  const disksBefore = await sizesOf(disks)
  const cpuBefore = await sumMetric(programs, 'process_cpu_seconds_total')
  const startedAt = Date.now()
  const load = await sendLoad({ targets, seconds: SECONDS, virtualUsers: VIRTUAL_USERS })
  const cpuSeconds = (await sumMetric(programs, 'process_cpu_seconds_total')) - cpuBefore
  reportLoad(load, cpuSeconds)
  const drained = await drain(programs, load.accepted, before, startedAt)
  await reportPipeline(programs, drained)
  recordFigure(`smoke: ${name}: accepted`, load.accepted / load.seconds, 'requests/s')
  recordFigure(`smoke: ${name}: to the last row`, drained.inserted / drained.seconds, 'signals/s')
  reportDisk(name, disksBefore, await sizesOf(disks), drained.inserted)
}

/** Both ways to run it under load, one after the other: how fast the edge answers, and how fast signals become rows. */
export const smoke = async (): Promise<void> => {
  for (const start of Object.values(SUBJECTS)) {
    const subject = await start(quotasFor(ENDPOINTS))
    await measure(subject).finally(subject.remove)
  }
}
