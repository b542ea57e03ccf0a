import { plural } from '../../schemas/domain/for-people.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { RunningProgram } from '../../test/support/program.ts'
import { readVisible } from '../pipeline/latency.ts'
import { appendFeedback, type EnginesSubject, sendFeedback, startEngines } from '../pipeline/subject.ts'
import { measureWork } from '../pipeline/working.ts'
import { createFeedback, numbers, skewedPlace } from '../support/feedback.ts'
import { recordFigure } from '../support/measuring.ts'
import { engineSeconds } from '../support/metrics.ts'
import { withShares } from '../support/share-of-core.ts'

/** Small enough that the engines, which are not limited, never want for a core. */
const SHARE = 0.08
/** Of four alone: what waits is told by how long a batch takes, which a smaller share stretches. */
const FOUR: Limited = { count: 4, share: 0.2 }
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
      await measureProcessors(subject, workspaceIds, { count, share: SHARE })
      await subject.stop()
    }
    const most = await measureProcessors(subject, workspaceIds, FOUR)
    await subject.stop()
    await rebalance(subject, workspaceIds, most)
    await subject.stop()
    await skewed(subject, await subject.createWorkspaces(WORKSPACES), most)
  } finally {
    await subject.remove()
  }
}

interface Limited {
  readonly count: number
  /** Of a core, for each. */
  readonly share: number
}

/** Starts processors, has them work until they are warm, and only then limits them for what is measured. */
const withLimited = <T>(
  subject: EnginesSubject,
  workspaceIds: readonly WorkspaceId[],
  { count, share }: Limited,
  measure: (addresses: readonly string[], limit: (programs: readonly RunningProgram[]) => void) => Promise<T>,
): Promise<T> =>
  withShares(share, async limit => {
    const addresses = await subject.start(Array.from({ length: count }, () => ({})))
    await measureWork(addresses, WARMING, () => appendFeedback(subject, workspaceIds, feedback, WARMING))
    limit(subject.processors())
    return measure(addresses, limit)
  })

const feedback = createFeedback(61)

/** Signals a second of so many processors. */
const measureProcessors = async (
  subject: EnginesSubject,
  workspaceIds: readonly WorkspaceId[],
  { count, share }: Limited,
): Promise<number> => {
  const signals = count * SIGNALS
  const { worked, before, after } = await withLimited(subject, workspaceIds, { count, share }, async addresses => {
    const before = engineSeconds(subject.directory)
    const worked = await measureWork(
      addresses,
      signals,
      () => appendFeedback(subject, workspaceIds, feedback, signals),
      POLL_MS,
    )
    return { worked, before, after: engineSeconds(subject.directory) }
  })
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

const PACE = { seconds: 40, tickMs: 100 }
const REBALANCE_COSTS_MS = 5000

/** What it costs those who wait that a processor comes, and that one goes. */
const rebalance = async (
  subject: EnginesSubject,
  workspaceIds: readonly WorkspaceId[],
  most: number,
): Promise<void> => {
  const aSecond = Math.floor(most / 2)
  const window = async (meanwhile: () => Promise<unknown>): Promise<number> => {
    const since = Date.now()
    await Promise.all([
      meanwhile(),
      sendFeedback(subject, { aSecond, ...PACE }, feedback, from => rotated(workspaceIds, from)),
    ])
    return (await readVisible(subject, since, Date.now())).p95
  }
  const { quiet, joined, left } = await withLimited(subject, workspaceIds, FOUR, async (_, limit) => ({
    quiet: await window(async () => {}),
    joined: await window(async () => limit([await subject.add()])),
    left: await window(async () => subject.processors()[0]?.stop()),
  }))
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
  const next = numbers(17)
  const [largest] = workspaceIds
  if (largest === undefined) throw new TypeError('There are workspaces.')
  const one = () => workspaceIds[skewedPlace(next, WORKSPACES)] ?? largest
  const sendFor = (aSecond: number, workspace: () => WorkspaceId): Promise<void> =>
    sendFeedback(subject, { aSecond, ...PACE }, feedback, (_, length) => Array.from({ length }, workspace))
  const [third, half] = [Math.floor(most / 3), Math.floor(most / 2)]
  const smallest = workspaceIds.slice(-SMALLEST)
  const smallestWait = async (sending: () => Promise<unknown>) => {
    const since = Date.now()
    await sending()
    return readVisible(subject, since, Date.now(), smallest)
  }
  const { quiet, beside } = await withLimited(subject, workspaceIds, FOUR, async () => ({
    quiet: await smallestWait(() => sendFor(third, one)),
    beside: await smallestWait(() => Promise.all([sendFor(third, one), sendFor(half, () => largest)])),
  }))
  recordFigure('machines: the smallest workspaces beside a flood: p95 to visible', beside.p95, 'ms', {
    atMost: SMALLEST_P95_MS,
  })
  console.log(
    `${WORKSPACES} workspaces by Zipf, ${third} signals/s: of the ${SMALLEST} smallest ${quiet.signals} signals, to visible p95 ${quiet.p95} ms; beside ${half} signals/s of the largest ${beside.signals}, median ${beside.median} ms, p95 ${beside.p95} ms`,
  )
}
