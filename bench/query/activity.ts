import { type AnalyticsConnection, createAnalytics, createClickHouseClient } from '../../infra/clickhouse/client.ts'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { recordFigure, timed } from '../support/measuring.ts'
import type { BenchPool } from '../support/stored-rows.ts'
import { startQuerySubject } from './subject.ts'

/** The days before now that the events are spread over. */
const DAYS = 90
const ROWS_A_STATEMENT = 500_000
const SLOTS = 12

/**
 * The `number`-th event: of twelve, a signal's receipt and nine steps, a tool call and one of the other kinds. Written
 * into `activity` like any block, so that the views fill the rollups.
 */
const INSERT = `
  INSERT INTO activity (workspace_id, event_id, kind, occurred_at, subject_id, source_id, source, channel, signal_origin, actor_role, actor,
    classification, node_id, tool, mode, step, step_ordinal, outcome, duration_ms, elapsed_ms, work_units, times)
  WITH number % ${SLOTS} AS slot, intDiv(number, ${SLOTS}) AS signal, sipHash64(signal) AS draw, slot BETWEEN 1 AND 9 AS is_step, slot <= 9 AS is_signal,
    ['tool.call', 'decision.made', 'metric.received', 'code_host.event', 'source.refused'] AS others
  SELECT {workspace: UUID}, generateUUIDv4(number),
    multiIf(slot = 0, 'signal.received', is_step, 'signal.step', slot = 10, 'tool.call', others[1 + draw % 5]),
    toDateTime64({begin: DateTime64(3)} + toIntervalMillisecond(intDiv((number - {first: UInt64}) * {span: UInt64}, {rows: UInt64})), 3, 'UTC'),
    if(is_signal, toString(toUUID(UUIDNumToString(reinterpretAsFixedString(sipHash128(signal))))), ''),
    concat('00000000-0000-7000-8000-', leftPad(toString(draw % 20), 12, '0')),
    if(is_signal, concat('source ', toString(draw % 50)), ''),
    if(is_signal, arrayElement(['webhook', 'webhook', 'webhook', 'email', 'code_host', 'connection'], 1 + draw % 6), ''),
    if(is_signal, arrayElement(['customer', 'customer', 'customer', 'internal', 'operational'], 1 + intDiv(draw, 6) % 5), ''),
    if(is_signal, arrayElement(['user', 'user', 'user', 'pm', 'engineer', 'system'], 1 + intDiv(draw, 30) % 6), ''),
    if(slot = 10, toString(draw % 40), ''),
    if(slot BETWEEN 7 AND 9, arrayElement(['problem', 'idea', 'question', 'unclassified'], 1 + intDiv(draw, 180) % 4), ''),
    if(slot BETWEEN 5 AND 9, toString(draw % 300), ''),
    if(slot = 10, arrayElement(['service_orient', 'service_lookup', 'service_decide', 'service_analyze'], 1 + draw % 4), ''),
    if(slot = 10, arrayElement(['snapshot', 'claim', 'triage', 'activity'], 1 + draw % 4), ''),
    if(is_step, arrayElement(['validate', 'normalize', 'scrub', 'embed', 'anchor', 'dedup', 'classify', 'insert', 'cluster'], slot), ''),
    if(is_step, slot, 0),
    multiIf(slot = 6 AND draw % 10 = 0, 'skip', is_step, 'next', slot = 10, 'ok', ''),
    if(slot BETWEEN 1 AND 10, exp(randNormal(1, 1)), 0), if(is_step, exp(randNormal(5, 1)), 0), if(slot = 10, 3, 0), 1
  FROM numbers({first: UInt64}, {rows: UInt64})`

/** Adds events to the workspace, numbers `from` to before `upTo`, over the last ninety days. */
const addEvents = async (
  connection: AnalyticsConnection,
  workspaceId: WorkspaceId,
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Promise<void> => {
  const client = createClickHouseClient(connection, createLogger({ level: 'silent', program: 'bench' }))
  const spanMs = (DAYS * DAY_MS * ROWS_A_STATEMENT) / (upTo - from)
  const begin = Date.now() - DAYS * DAY_MS
  for (let first = from; first < upTo; first += ROWS_A_STATEMENT) {
    await client.command({
      query: INSERT,
      query_params: {
        workspace: workspaceId,
        first,
        rows: ROWS_A_STATEMENT,
        begin: new Date(begin + ((first - from) / ROWS_A_STATEMENT) * spanMs),
        span: Math.floor(spanMs),
      },
    })
  }
  await client.close()
}

/** The same columns with the same values, near enough, and an index like the order of ClickHouse's table. */
const fillPostgres = async (pool: BenchPool, workspaceId: WorkspaceId, rows: number): Promise<void> => {
  await pool.query(`
    create table bench_activity (
      workspace_id uuid not null, event_id uuid not null, kind text not null, occurred_at timestamptz not null, subject_id text not null,
      source text not null, channel text not null, signal_origin text not null, actor_role text not null, classification text not null,
      node_id text not null, tool text not null, step text not null, outcome text not null, duration_ms double precision not null,
      elapsed_ms double precision not null, work_units integer not null, times integer not null)`)
  await pool.query(
    `insert into bench_activity
     select $1, gen_random_uuid(),
       case when number % ${SLOTS} = 0 then 'signal.received' when number % ${SLOTS} < 10 then 'signal.step' when number % ${SLOTS} = 10 then 'tool.call'
         else (array['tool.call', 'decision.made', 'metric.received', 'code_host.event', 'source.refused'])[1 + number / ${SLOTS} % 5] end,
       now() - interval '${DAYS} days' * (1 - number::double precision / $2), 'subject ' || number / ${SLOTS}, 'source ' || number % 50,
       'webhook', 'customer', 'user', 'problem', number % 300, '', 'insert', 'next', number % 100, number % 1000, 0, 1
     from generate_series(1, $2::integer) as number`,
    [workspaceId, rows],
  )
  await pool.query('create index on bench_activity (workspace_id, occurred_at)')
  await pool.query('vacuum analyze bench_activity')
}

/** An index that has all that the question reads. */
const coverQuestion = async (pool: BenchPool): Promise<void> => {
  await pool.query('create index on bench_activity (workspace_id, occurred_at) include (kind, times)')
  await pool.query('vacuum analyze bench_activity')
}

/** What the operation is asked: the last ninety days by day and kind. */
const ASKED_OF_POSTGRES = `
  select date_trunc('day', occurred_at, 'UTC') as day, kind, sum(times) as count, count(*) over () as total
  from bench_activity
  where workspace_id = $1 and occurred_at >= $2 and occurred_at < $3
  group by 1, 2 order by 1, 2 limit 100`

const SIZES = [1_000_000, 10_000_000]
/** With `--largest`: it takes minutes and gigabytes to make. PostgreSQL is not given so many. */
const LARGEST = 100_000_000
const ASKED_OF_LARGEST = { p95Ms: 300, timesWithoutRollups: 10 }
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

/**
 * Ninety days by day and kind, through the operation; with and without rollups in ClickHouse, and in the same machine's
 * PostgreSQL.
 */
export const activity = async (flags: readonly string[]): Promise<void> => {
  const sizes = flags.includes('--largest') ? [...SIZES, LARGEST] : SIZES
  const subject = await startQuerySubject()
  const logger = createLogger({ level: 'silent', program: 'bench' })
  const connection = parseClickHouseUrl(subject.clickhouseUrl)
  const analytics = createAnalytics(connection, { logger })
  const { pool, workspaceId } = subject

  /** Median and p95, which it prints too. */
  const report = async (what: string, calls: number, work: () => Promise<unknown>) => {
    await work()
    const at = await timed(calls, work)
    const [median, p95] = [at(0.5), at(0.95)]
    console.log(`    ${what.padEnd(36)} median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`)
    return { median, p95 }
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
    for (const size of sizes) {
      const startedAt = performance.now()
      await addEvents(connection, workspaceId, { from: had, upTo: size })
      const seconds = (performance.now() - startedAt) / 1000
      const [stored] = await analytics.query<Record<'events' | 'days' | 'hours', number>>(
        'SELECT (SELECT count() FROM activity) AS events, (SELECT count() FROM activity_by_day) AS days, (SELECT count() FROM activity_by_hour) AS hours',
      )
      console.log(
        `\n${stored?.events} events (${(size - had) / 1000}k in ${seconds.toFixed(0)} s), ${stored?.days} rows by day, ${stored?.hours} by hour`,
      )
      const operation = await report('service_analyze activity', CALLS, call())
      await report('  with p95 of the durations', CALLS, call({ metrics: ['count', 'p95_duration_ms'] }))
      await report('  in Berlin’s days, from hours', CALLS, call({}, 'Europe/Berlin'))
      await report('  against the ninety days before', CALLS, call({ compare: true }))
      const readAll = () => analytics.query(WITHOUT_ROLLUPS, { workspace: workspaceId, ...lastDays() })
      const all = await report('ClickHouse alone, without rollups', size === LARGEST ? FEW : CALLS, readAll)
      had = size
      if (size === LARGEST) {
        const times = all.median / operation.median
        console.log(`Without rollups it takes ${times.toFixed(1)} times as long as the operation.`)
        recordFigure('activity: 90 days of 100,000,000, p95', operation.p95, 'ms', { atMost: ASKED_OF_LARGEST.p95Ms })
        recordFigure('activity: the same without rollups', times, 'times', {
          atLeast: ASKED_OF_LARGEST.timesWithoutRollups,
        })
      } else {
        withRollups.push(operation.median)
        raw = all.median
      }
    }
    const inPostgres = SIZES.at(-1) ?? 0
    await fillPostgres(pool, workspaceId, inPostgres)
    const { from, to } = lastDays()
    const ask = () => pool.query(ASKED_OF_POSTGRES, [workspaceId, from, to])
    const { median: indexed } = await report('PostgreSQL, indexed by time', FEW, ask)
    await coverQuestion(pool)
    const { median: covered } = await report('PostgreSQL, index for this question', FEW, ask)
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
