import { setTimeout as sleep } from 'node:timers/promises'
import { createAnalytics } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { createFeedback } from '../support/feedback.ts'
import { recordFigure } from '../support/measuring.ts'
import { appendFeedback, appendSignals, type EnginesSubject, sendFeedback, startEngines } from './subject.ts'
import { measureWork } from './working.ts'

const WARMING = 6000
const SECONDS = 30
const PACE = { seconds: SECONDS, tickMs: 50 }
const IMPORTED = 100_000
const LIVE_A_SECOND = 100

/** From receipt to visible: at half the most that the machine manages, and while an import runs. */
export const latency = async (): Promise<void> => {
  const subject = await startEngines()
  try {
    const workspaceIds = await subject.createWorkspaces(100)
    const programs = await subject.start([{}])
    const feedback = createFeedback(31)
    const append = (count: number) => () => appendFeedback(subject, workspaceIds, feedback, count)
    await measureWork(programs, WARMING, append(WARMING))
    const most = await measureWork(programs, WARMING, append(WARMING))
    const half = Math.round(WARMING / most.seconds / 2)
    const sent = half * SECONDS
    let since = Date.now()
    await measureWork(programs, sent, () =>
      sendFeedback(subject, { aSecond: half, ...PACE }, feedback, () => workspaceIds),
    )
    const alone = await readVisible(subject, since, Date.now())
    recordFigure('latency: to visible, at half the most: p95', alone.p95, 'ms', { atMost: 1000 })
    console.log(`${half} signals/s, half of the most: ${describeVisible(alone)}`)

    const [importing, ...others] = workspaceIds
    if (importing === undefined) throw new TypeError('There is no workspace to import into.')
    const texts = Array.from({ length: IMPORTED }, feedback)
    await subject.withLog((log, registry) => appendSignals(log, registry, [importing], texts, 'bulk'))
    since = Date.now()
    await sendFeedback(subject, { aSecond: LIVE_A_SECOND, ...PACE }, feedback, () => others)
    await sleep(5000)
    const beside = await readVisible(subject, since, Date.now(), others)
    recordFigure('latency: to visible, beside an import: p95', beside.p95, 'ms', { atMost: 3000 })
    console.log(
      `${LIVE_A_SECOND} signals/s live in 99 workspaces while 100,000 are imported into one: ${describeVisible(beside)}`,
    )
  } finally {
    await subject.remove()
  }
}

const QUANTILES = `
  SELECT count() AS signals, quantileExact(0.5)(elapsed_ms) AS median, quantileExact(0.95)(elapsed_ms) AS p95, max(elapsed_ms) AS longest
  FROM activity
  WHERE kind = 'signal.step' AND step = 'insert' AND outcome = 'next'
    AND occurred_at >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')
    AND occurred_at < fromUnixTimestamp64Milli({until: Int64}, 'UTC')
    AND (empty({workspaces: Array(UUID)}) OR workspace_id IN {workspaces: Array(UUID)})`

/** How long activity may be on its way to ClickHouse. */
const ON_ITS_WAY_MS = 3000

/** Milliseconds. */
export interface Visible {
  readonly signals: number
  readonly median: number
  readonly p95: number
  readonly longest: number
}

/**
 * How long signals that became visible in a span of time took from receipt, as the pipeline's own activity tells it:
 * to when `insert` had committed them. Those of some workspaces, or of all.
 */
export const readVisible = async (
  { clickhouseUrl }: Pick<EnginesSubject, 'clickhouseUrl'>,
  since: number,
  until: number,
  workspaces: readonly WorkspaceId[] = [],
): Promise<Visible> => {
  const analytics = createAnalytics(parseClickHouseUrl(clickhouseUrl), {
    logger: createLogger({ level: 'silent', program: 'bench' }),
  })
  await sleep(ON_ITS_WAY_MS)
  const [row] = await analytics.query<Record<keyof Visible, number>>(QUANTILES, { since, until, workspaces })
  await analytics.close()
  if (row === undefined) throw new TypeError('An aggregate has a row.')
  return {
    signals: Number(row.signals),
    median: Number(row.median),
    p95: Number(row.p95),
    longest: Number(row.longest),
  }
}

const describeVisible = ({ signals, median, p95, longest }: Visible): string =>
  `${signals} signals, median ${median} ms, p95 ${p95} ms, longest ${longest} ms`
