import { createAnalytics } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { recordFigure } from '../support/figures.ts'
import { timed } from '../support/timing.ts'
import { ASKED_OF_POSTGRES, addEvents, coverQuestion, DAYS, fillPostgres } from './activity-rows.ts'
import { startQuerySubject } from './subject.ts'

const SIZES = [1_000_000, 10_000_000]
const CALLS = 100
/** Of what takes seconds. */
const FEW = 7

/** Of the events themselves, which the operation would read if there were no rollups. */
const WITHOUT_ROLLUPS = `
  SELECT toStartOfDay(occurred_at, 'UTC') AS day, kind, sum(times) AS count, count() OVER () AS total
  FROM activity
  WHERE workspace_id = {workspace: UUID} AND occurred_at >= {from: DateTime64(3)} AND occurred_at < {to: DateTime64(3)}
  GROUP BY day, kind ORDER BY day, kind LIMIT 100`

const lastDays = () => {
  const to = new Date()
  return { from: new Date(to.getTime() - DAYS * DAY_MS), to }
}

/** Ninety days by day and kind, through the operation; with and without rollups in ClickHouse, and in the same machine's PostgreSQL. */
export const activity = async (): Promise<void> => {
  const subject = await startQuerySubject()
  const logger = createLogger({ level: 'silent', program: 'bench' })
  const connection = parseClickHouseUrl(subject.clickhouseUrl)
  const analytics = createAnalytics(connection, { logger })
  const { pool, workspaceId } = subject

  /** Median and p95 in words; answers the median. */
  const report = async (what: string, calls: number, work: () => Promise<unknown>): Promise<number> => {
    await work()
    const at = await timed(calls, work)
    console.log(`    ${what.padEnd(36)} median ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`)
    return at(0.5)
  }
  const call =
    (input: object = {}, zone = 'UTC') =>
    () => {
      const { from, to } = lastDays()
      const time = { from: from.toISOString(), to: to.toISOString(), granularity: 'day', time_zone: zone }
      return subject.agent.call('service_analyze', { mode: 'activity', group_by: ['kind'], time, limit: 100, ...input })
    }

  try {
    let had = 0
    const withRollups: number[] = []
    let raw = Number.NaN
    for (const size of SIZES) {
      const startedAt = performance.now()
      await addEvents(connection, workspaceId, { from: had, upTo: size })
      const seconds = (performance.now() - startedAt) / 1000
      const [stored] = await analytics.query<Record<'events' | 'days' | 'hours', number>>(
        'SELECT (SELECT count() FROM activity) AS events, (SELECT count() FROM activity_by_day) AS days, (SELECT count() FROM activity_by_hour) AS hours',
      )
      console.log(
        `\n${stored?.events} events (${(size - had) / 1000}k in ${seconds.toFixed(0)} s), ${stored?.days} rows by day, ${stored?.hours} by hour`,
      )
      withRollups.push(await report('service_analyze activity', CALLS, call()))
      await report('  with p95 of the durations', CALLS, call({ metrics: ['count', 'p95_duration_ms'] }))
      await report('  in Berlin’s days, from hours', CALLS, call({}, 'Europe/Berlin'))
      await report('  against the ninety days before', CALLS, call({ compare: true }))
      raw = await report('ClickHouse alone, without rollups', CALLS, () =>
        analytics.query(WITHOUT_ROLLUPS, { workspace: workspaceId, ...lastDays() }),
      )
      had = size
    }
    await fillPostgres(pool, workspaceId, had)
    const { from, to } = lastDays()
    const ask = () => pool.query(ASKED_OF_POSTGRES, [workspaceId, from, to])
    const indexed = await report('PostgreSQL, indexed by time', FEW, ask)
    await coverQuestion(pool)
    const covered = await report('PostgreSQL, index for this question', FEW, ask)
    const [small = Number.NaN, large = Number.NaN] = withRollups
    recordFigure('activity: 90 days, tenfold the rows', large / small, 'times', { atMost: 2 })
    recordFigure('activity: PostgreSQL, of the operation', indexed / large, 'times')
    const times = (postgres: number) =>
      `${(postgres / raw).toFixed(1)} times as long as ClickHouse without rollups, ${(postgres / large).toFixed(0)} times as long as the operation`
    console.log(`\nTenfold the rows: ${(large / small).toFixed(2)} times as long.`)
    console.log(`PostgreSQL takes ${times(indexed)}; with an index for this question ${times(covered)}.`)
  } finally {
    await analytics.close()
    await subject.stop()
  }
}
