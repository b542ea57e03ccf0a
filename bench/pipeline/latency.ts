import { setTimeout as sleep } from 'node:timers/promises'
import { createAnalytics } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import type { Log, SchemaRegistry } from '../../infra/log/port.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { createFeedback } from '../support/feedback.ts'
import { atPace, recordFigure } from '../support/measuring.ts'
import { appendSignals, type EnginesSubject, startEngines } from './subject.ts'
import { measureWork } from './working.ts'

const WARMING = 6000
const SECONDS = 30
const TICK_MS = 50
const IMPORTED = 100_000
const LIVE_A_SECOND = 100

/** From receipt to visible: at half the most that the machine manages, and while an import runs. */
export const latency = async (): Promise<void> => {
  const subject = await startEngines()
  try {
    const workspaceIds = await subject.createWorkspaces(100)
    const programs = await subject.start([{}])
    const feedback = createFeedback(31)
    const append = (count: number) => () =>
      subject.withLog((log, registry) =>
        appendSignals(log, registry, workspaceIds, Array.from({ length: count }, feedback)),
      )
    await measureWork(programs, WARMING, append(WARMING))
    const most = await measureWork(programs, WARMING, append(WARMING))
    const half = Math.round(WARMING / most.seconds / 2)
    const sent = half * SECONDS
    let since = Date.now()
    await measureWork(programs, sent, () =>
      subject.withLog((log, registry) => sendEvenly(log, registry, workspaceIds, feedback, half)),
    )
    console.log(
      `${half} signals/s, half of the most: ${await fromReceiptToVisible(subject, since, 'at half the most', 1000)}`,
    )

    const [importing, ...others] = workspaceIds
    if (importing === undefined) throw new TypeError('There is no workspace to import into.')
    const texts = Array.from({ length: IMPORTED }, feedback)
    await subject.withLog((log, registry) => appendSignals(log, registry, [importing], texts, 'bulk'))
    since = Date.now()
    await subject.withLog((log, registry) => sendEvenly(log, registry, others, feedback, LIVE_A_SECOND))
    await sleep(5000)
    console.log(
      `${LIVE_A_SECOND} signals/s live in 99 workspaces while 100,000 are imported into one: ${await fromReceiptToVisible(subject, since, 'beside an import', 3000, importing)}`,
    )
  } finally {
    await subject.remove()
  }
}

const sendEvenly = (
  log: Log,
  registry: SchemaRegistry,
  workspaceIds: readonly WorkspaceId[],
  feedback: () => string,
  aSecond: number,
): Promise<void> =>
  atPace({ aSecond, seconds: SECONDS, tickMs: TICK_MS }, (from, upTo) =>
    appendSignals(log, registry, workspaceIds, Array.from({ length: upTo - from }, feedback)),
  )

const QUANTILES = `
  SELECT count() AS signals, quantileExact(0.5)(elapsed_ms) AS median, quantileExact(0.95)(elapsed_ms) AS p95, max(elapsed_ms) AS longest
  FROM activity
  WHERE kind = 'signal.step' AND step = 'insert' AND outcome = 'next'
    AND occurred_at >= fromUnixTimestamp64Milli({since: Int64}, 'UTC') AND workspace_id != {except: UUID}`

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000'

/** As the pipeline's own activity tells it: from when the signal was received to when `insert` had committed it. */
const fromReceiptToVisible = async (
  subject: EnginesSubject,
  since: number,
  when: string,
  atMost: number,
  except: string = NO_WORKSPACE,
) => {
  const analytics = createAnalytics(parseClickHouseUrl(subject.clickhouseUrl), {
    logger: createLogger({ level: 'silent', program: 'bench' }),
  })
  await sleep(3000)
  const [row] = await analytics.query<Record<'signals' | 'median' | 'p95' | 'longest', number>>(QUANTILES, {
    since,
    except,
  })
  await analytics.close()
  recordFigure(`latency: to visible, ${when}: p95`, Number(row?.p95), 'ms', { atMost })
  return `${row?.signals} signals, median ${row?.median} ms, p95 ${row?.p95} ms, longest ${row?.longest} ms`
}
