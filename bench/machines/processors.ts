import { plural } from '../../schemas/domain/for-people.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { readVisible } from '../pipeline/latency.ts'
import { appendSignals, type EnginesSubject, startEngines } from '../pipeline/subject.ts'
import { measureWork } from '../pipeline/working.ts'
import { createFeedback, MODULUS, numbers } from '../support/feedback.ts'
import { atPace, recordFigure } from '../support/measuring.ts'
import { engineSeconds } from '../support/metrics.ts'
import { limitAll, removeAll } from '../support/share-of-core.ts'

/** Small enough that the engines, which are not limited, never want for a core. */
const SHARE = 0.08
/** Of four alone: what waits is told by how long a batch takes, which a smaller share stretches. */
const SHARE_OF_FOUR = 0.2
const COUNTS = [1, 2, 4, 8]
/** For what is skewed. */
const WORKSPACES = 1000
/** For the rest: so few that a batch has more than a signal of each. */
const EVEN = 100
const WARMING = 3000
/** So many for each processor: half a minute of its share. */
const SIGNALS = 1500
/** A look costs a program a fifth of what such a share gives it in a second. */
const POLL_MS = 4000

/**
 * Processors of many machines, as far as one can be them: each has a share of a core. What more of them bring, what it
 * costs that one comes or goes, and what the small wait beside a large one.
 */
export const processors = async (): Promise<void> => {
  const subject = await startEngines()
  try {
    const workspaceIds = await subject.createWorkspaces(EVEN)
    for (const count of COUNTS) {
      await measureProcessors(subject, workspaceIds, count, SHARE)
      await subject.stop()
    }
    const most = await measureProcessors(subject, workspaceIds, 4, SHARE_OF_FOUR)
    await subject.stop()
    await rebalance(subject, workspaceIds, most)
    await subject.stop()
    await skewed(subject, await subject.createWorkspaces(WORKSPACES), most)
  } finally {
    await subject.remove()
  }
}

/** Starts processors, has them work until they are warm, and only then limits them. */
const startLimited = async (
  subject: EnginesSubject,
  workspaceIds: readonly WorkspaceId[],
  count: number,
  share: number,
) => {
  const addresses = await subject.start(Array.from({ length: count }, () => ({})))
  await measureWork(addresses, WARMING, () => append(subject, workspaceIds, WARMING))
  return { addresses, limits: limitAll(subject.processors(), share) }
}

const feedback = createFeedback(61)

const append = (subject: EnginesSubject, workspaceIds: readonly WorkspaceId[], count: number): Promise<void> =>
  subject.withLog((log, registry) =>
    appendSignals(log, registry, workspaceIds, Array.from({ length: count }, feedback)),
  )

/** Signals a second of so many processors. */
const measureProcessors = async (
  subject: EnginesSubject,
  workspaceIds: readonly WorkspaceId[],
  count: number,
  share: number,
): Promise<number> => {
  const { addresses, limits } = await startLimited(subject, workspaceIds, count, share)
  const before = engineSeconds(subject.directory)
  const signals = count * SIGNALS
  const worked = await measureWork(addresses, signals, () => append(subject, workspaceIds, signals), POLL_MS)
  const after = engineSeconds(subject.directory)
  await removeAll(limits)
  const aSecond = worked.signals / worked.seconds
  const cores = Object.entries(after).map(
    ([engine, seconds]) => `${engine} ${((seconds - (before[engine] ?? 0)) / worked.seconds).toFixed(2)}`,
  )
  recordFigure(`machines: processors at ${share} of a core: throughput`, aSecond, 'signals/s', { at: count })
  console.log(
    `${count} ${plural(count, 'processor')} at ${share} of a core: ${aSecond.toFixed(0)} signals/s, CPU ${worked.cpuMs.toFixed(2)} ms a signal; cores of ${cores.join(', ')}`,
  )
  return aSecond
}

const WINDOW_SECONDS = 40
const TICK_MS = 100
const REBALANCE_COSTS_MS = 5000

/** What it costs those who wait that a processor comes, and that one goes. */
const rebalance = async (
  subject: EnginesSubject,
  workspaceIds: readonly WorkspaceId[],
  most: number,
): Promise<void> => {
  const { limits } = await startLimited(subject, workspaceIds, 4, SHARE_OF_FOUR)
  const aSecond = Math.floor(most / 2)
  const window = async (meanwhile: () => Promise<unknown>): Promise<number> => {
    const since = Date.now()
    await Promise.all([
      meanwhile(),
      subject.withLog((log, registry) =>
        atPace({ aSecond, seconds: WINDOW_SECONDS, tickMs: TICK_MS }, (from, upTo) =>
          appendSignals(log, registry, rotated(workspaceIds, from), Array.from({ length: upTo - from }, feedback)),
        ),
      ),
    ])
    return (await readVisible(subject, since, Date.now())).p95
  }
  const quiet = await window(async () => {})
  const joined = await window(async () => {
    limits.push(...limitAll([await subject.add()], SHARE_OF_FOUR))
  })
  const left = await window(async () => {
    await subject.processors()[0]?.stop()
  })
  await removeAll(limits)
  console.log(
    `4 processors at half of their most, ${aSecond} signals/s: to visible p95 ${quiet} ms; while one comes ${joined} ms, while one goes ${left} ms`,
  )
  for (const [what, p95] of [
    ['comes', joined],
    ['goes', left],
  ] as const) {
    recordFigure(`machines: a processor ${what}: p95 to visible beyond the quiet one`, p95 - quiet, 'ms', {
      atMost: REBALANCE_COSTS_MS,
    })
  }
}

/** The workspaces from the n-th on, so that a small batch does not always go to the first ones. */
const rotated = (workspaceIds: readonly WorkspaceId[], from: number): readonly WorkspaceId[] => {
  const at = from % workspaceIds.length
  return [...workspaceIds.slice(at), ...workspaceIds.slice(0, at)]
}

const SMALLEST = 500
const SMALLEST_P95_MS = 3000

/**
 * Workspaces of which the n-th sends 1/n as much as the first (Zipf), a third of the most together, while the first
 * one sends half of the most beside it: what the smaller half waits.
 */
const skewed = async (subject: EnginesSubject, workspaceIds: readonly WorkspaceId[], most: number): Promise<void> => {
  const { limits } = await startLimited(subject, workspaceIds, 4, SHARE_OF_FOUR)
  const next = numbers(17)
  const [largest] = workspaceIds
  if (largest === undefined) throw new TypeError('There are workspaces.')
  // Inverse of the cumulated 1/n, whose sum grows as the logarithm.
  const one = () => workspaceIds[Math.floor(WORKSPACES ** (next() / MODULUS)) - 1] ?? largest
  const sendFor = (aSecond: number, workspace: () => WorkspaceId): Promise<void> =>
    subject.withLog((log, registry) =>
      atPace({ aSecond, seconds: WINDOW_SECONDS, tickMs: TICK_MS }, async (from, upTo) => {
        const texts = Array.from({ length: upTo - from }, feedback)
        await appendSignals(log, registry, texts.map(workspace), texts)
      }),
    )
  const [third, half] = [Math.floor(most / 3), Math.floor(most / 2)]
  const smallest = workspaceIds.slice(-SMALLEST)
  let since = Date.now()
  await sendFor(third, one)
  const quiet = await readVisible(subject, since, Date.now(), smallest)
  since = Date.now()
  await Promise.all([sendFor(third, one), sendFor(half, () => largest)])
  const beside = await readVisible(subject, since, Date.now(), smallest)
  await removeAll(limits)
  recordFigure('machines: the smallest workspaces beside a flood: p95 to visible', beside.p95, 'ms', {
    atMost: SMALLEST_P95_MS,
  })
  console.log(
    `${WORKSPACES} workspaces by Zipf, ${third} signals/s: of the ${SMALLEST} smallest ${quiet.signals} signals, to visible p95 ${quiet.p95} ms; beside ${half} signals/s of the largest ${beside.signals}, median ${beside.median} ms, p95 ${beside.p95} ms`,
  )
}
