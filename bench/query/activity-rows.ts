import { type AnalyticsConnection, createClickHouseClient } from '../../infra/clickhouse/client.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { BenchPool } from '../support/pool.ts'

/** The days before now that the events are spread over. */
export const DAYS = 90
const ROWS_AT_ONCE = 500_000
const SLOTS = 12

/**
 * The `number`-th event: of twelve, a signal's receipt and nine steps, a tool call and one of the other kinds. Written into `activity`
 * like any block, so that the views fill the rollups.
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
export const addEvents = async (
  connection: AnalyticsConnection,
  workspaceId: WorkspaceId,
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Promise<void> => {
  const client = createClickHouseClient(connection, createLogger({ level: 'silent', program: 'bench' }))
  const spanMs = (DAYS * DAY_MS * ROWS_AT_ONCE) / (upTo - from)
  const begin = Date.now() - DAYS * DAY_MS
  for (let first = from; first < upTo; first += ROWS_AT_ONCE) {
    await client.command({
      query: INSERT,
      query_params: {
        workspace: workspaceId,
        first,
        rows: ROWS_AT_ONCE,
        begin: new Date(begin + ((first - from) / ROWS_AT_ONCE) * spanMs),
        span: Math.floor(spanMs),
      },
    })
  }
  await client.close()
}

/** The same columns with the same values, near enough, and an index like the order of ClickHouse's table. */
export const fillPostgres = async (pool: BenchPool, workspaceId: WorkspaceId, rows: number): Promise<void> => {
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
export const coverQuestion = async (pool: BenchPool): Promise<void> => {
  await pool.query('create index on bench_activity (workspace_id, occurred_at) include (kind, times)')
  await pool.query('vacuum analyze bench_activity')
}

/** What the operation is asked: the last ninety days by day and kind. */
export const ASKED_OF_POSTGRES = `
  select date_trunc('day', occurred_at, 'UTC') as day, kind, sum(times) as count, count(*) over () as total
  from bench_activity
  where workspace_id = $1 and occurred_at >= $2 and occurred_at < $3
  group by 1, 2 order by 1, 2 limit 100`
