import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createClickHouseClient } from '../../infra/clickhouse/client.ts'
import { startTestAnalytics, type TestAnalytics } from '../../infra/clickhouse/testing.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { type EventId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { CHANNELS, CLASSIFICATIONS, STEPS } from '../../schemas/domain/vocabulary.ts'
import { type ActivityKind, activity } from '../../schemas/events/activity.ts'
import { CLOCKS } from '../signals/happened.ts'
import {
  type ActivityQuestion,
  type Field,
  GRANULARITY_NAMES,
  type Metric,
  previousPeriod,
} from './activity-question.ts'
import type { ActivityItem } from './figures.ts'
import { readFigures } from './figures.ts'
import { chooseRollup } from './rollups.ts'

const MINUTE_MS = 60_000
/** Europe and America change their clocks within these days. */
const FIRST_DAY = Date.UTC(2026, 1, 20)
const DAYS = 45
const BLOCKS = 4
const EVENTS_A_BLOCK = 700

const KINDS: readonly ActivityKind[] = [
  'signal.received',
  'signal.step',
  'source.refused',
  'code_host.event',
  'tool.call',
]
const OUTCOMES = ['next', 'skip', 'ok', '']

const event = fc.record({
  kind: fc.constantFrom(...KINDS),
  occurred_at: fc.integer({ min: FIRST_DAY, max: FIRST_DAY + DAYS * DAY_MS }),
  step: fc.constantFrom(...STEPS),
  outcome: fc.constantFrom(...OUTCOMES),
  channel: fc.constantFrom(...CHANNELS),
  classification: fc.constantFrom('', ...CLASSIFICATIONS),
  tool: fc.constantFrom('', 'service_lookup'),
  duration_ms: fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e9, noNaN: true })),
  elapsed_ms: fc.double({ min: 0, max: 100_000, noNaN: true }),
  work_units: fc.nat(10),
  times: fc.integer({ min: 1, max: 1000 }),
})

/** When an event happened: mostly as it was received, else a little before, or long before. */
const earlier = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: DAY_MS }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 * DAYS * DAY_MS }) },
)

const metrics: readonly Metric[] = [
  'count',
  'work_units',
  'acceptance_rate',
  'p50_duration_ms',
  'p95_duration_ms',
  'p50_elapsed_ms',
  'p95_elapsed_ms',
]
const FIELDS: readonly Field[] = ['kind', 'step', 'outcome', 'channel', 'classification', 'tool']
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Abidjan']

/** An instant of these days, now and then at midnight. */
const instant = fc.oneof(
  fc.integer({ min: 0, max: DAYS }).map(day => day * DAY_MS),
  fc.integer({ min: 0, max: (DAYS * DAY_MS) / MINUTE_MS }).map(minute => minute * MINUTE_MS),
)

const filter = fc.oneof(
  fc.record({
    field: fc.constant('kind' as const),
    op: fc.constantFrom('in' as const, 'not_in' as const),
    values: fc.subarray([...KINDS], { minLength: 1 }),
  }),
  fc.record({
    field: fc.constantFrom('step' as const, 'channel' as const),
    op: fc.constant('contains' as const),
    values: fc.constantFrom(['e'], ['IN', 'b'], ['nothing']),
  }),
)

const question: fc.Arbitrary<ActivityQuestion> = fc
  .record({
    metrics: fc.subarray([...metrics], { minLength: 1 }),
    groupBy: fc.subarray([...FIELDS], { maxLength: 2 }),
    ends: fc.tuple(instant, instant).filter(([one, other]) => one !== other),
    granularity: fc.constantFrom(null, ...GRANULARITY_NAMES),
    timeZone: fc.constantFrom(...ZONES),
    clock: fc.constantFrom(...CLOCKS),
    filters: fc.array(filter, { maxLength: 2 }),
    places: fc.constant({}),
    compare: fc.boolean(),
  })
  .map(({ ends, compare, granularity, timeZone, ...rest }) => {
    const [from, to] = ends.map(end => new Date(FIRST_DAY + end)).sort((one, other) => one.getTime() - other.getTime())
    assert.ok(from && to)
    const range = { from, to, granularity, timeZone }
    return {
      ...rest,
      ...range,
      // By what cannot differ: a quantile that is a little off would change the order.
      order:
        granularity === null
          ? {
              by: rest.metrics.find(metric => metric === 'count') ?? ('work_units' as const),
              direction: 'desc' as const,
            }
          : { by: 'period' as const, direction: 'asc' as const },
      metrics: [...new Set([...rest.metrics, 'work_units' as const])],
      before: compare ? previousPeriod(range, to) : null,
    }
  })

let server: TestAnalytics
const workspaceId = newId<WorkspaceId>()

before(async () => {
  server = await startTestAnalytics()
  const blocks = fc.sample(
    fc.array(fc.tuple(event, earlier), { minLength: EVENTS_A_BLOCK, maxLength: EVENTS_A_BLOCK }),
    {
      numRuns: BLOCKS,
      seed: 7,
    },
  )
  for (const [index, block] of blocks.entries()) {
    const rows = block.map(([known, before]) => {
      const happened_at = known.occurred_at - before
      return activity({ event_id: newId<EventId>(), workspace_id: workspaceId, ...known, happened_at })
    })
    await server.analytics.insert('activity', rows, `block ${index}`)
    await server.analytics.insert('activity', rows, `block ${index}`)
  }
})
after(() => server.stop())

const isQuantile = (metric: string): boolean => metric.startsWith('p')

/** Within what the rollups promise of a quantile: 1 %, or a microsecond. */
const isNear = (rolled: number | null, exact: number | null): boolean =>
  rolled === null || exact === null ? rolled === exact : Math.abs(rolled - exact) <= Math.max(0.001, exact * 0.010001)

const counts = (items: readonly ActivityItem[]) =>
  items.map(({ period, group, metrics, before }) => [
    period,
    group,
    ...[metrics, before ?? {}].map(figures => Object.entries(figures).filter(([metric]) => !isQuantile(metric))),
  ])

const quantiles = (items: readonly ActivityItem[]) =>
  items.flatMap(({ metrics, before }) =>
    [metrics, before ?? {}].flatMap(figures => Object.entries(figures).filter(([metric]) => isQuantile(metric))),
  )

/** Asks random questions, of those that a rollup can answer, of the rollup and of the events. */
const compareAnswers = (numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      question.filter(asked => chooseRollup(asked) !== null),
      async asked => {
        const page = { limit: 100, offset: 0 }
        const rolled = await readFigures(server.analytics, workspaceId, asked, page)
        const exact = await readFigures(server.analytics, workspaceId, asked, page, null)
        assert.deepEqual([rolled.rollup !== null, exact.rollup], [true, null])
        assert.equal(rolled.count, exact.count)
        assert.deepEqual(counts(rolled.items), counts(exact.items))
        const of = quantiles(exact.items)
        for (const [index, [metric, value]] of quantiles(rolled.items).entries()) {
          assert.ok(isNear(value, of[index]?.[1] ?? null), `${metric}: ${value} instead of ${of[index]?.[1]}`)
        }
      },
    ),
    { numRuns },
  )

test('a rollup answers as the events do: counts exactly, quantiles within 1 %', () => compareAnswers(50))

const asked: ActivityQuestion = {
  metrics: ['count'],
  groupBy: ['kind'],
  filters: [],
  places: {},
  from: new Date(FIRST_DAY + 1),
  to: new Date(FIRST_DAY + 30 * DAY_MS),
  granularity: 'day',
  timeZone: 'UTC',
  clock: 'occurred',
  order: { by: 'period', direction: 'asc' },
  before: null,
}

test('the coarsest rollup that has the fields and whose units make up the periods is chosen', () => {
  const cases: readonly [Partial<ActivityQuestion>, ReturnType<typeof chooseRollup>][] = [
    [{}, 'day'],
    [{ granularity: 'week' }, 'day'],
    [{ granularity: 'hour' }, 'hour'],
    [{ granularity: 'minute' }, null],
    [{ timeZone: 'Europe/Berlin' }, 'hour'],
    [{ timeZone: 'Europe/Berlin', granularity: null }, 'day'],
    [{ timeZone: 'Asia/Kolkata' }, null],
    // Half an hour ahead in winter, which begins there in April.
    [{ timeZone: 'Australia/Lord_Howe' }, 'hour'],
    [{ timeZone: 'Australia/Lord_Howe', to: new Date(FIRST_DAY + DAYS * DAY_MS) }, null],
    [{ to: new Date(FIRST_DAY + 2 * DAY_MS) }, 'hour'],
    [{ to: new Date(FIRST_DAY + DAY_MS / 24) }, null],
    [{ groupBy: ['source'] }, null],
    [{ groupBy: ['signal_origin'] }, null],
    [{ filters: [{ field: 'actor', op: 'in', values: ['one'] }] }, null],
    [{ metrics: ['count', 'distinct_signals'] }, null],
    [{ metrics: ['p95_elapsed_ms', 'acceptance_rate'] }, 'day'],
    [{ before: { from: new Date(FIRST_DAY - DAY_MS), shift: { unit: 'milliseconds', by: DAY_MS + 1 } } }, null],
  ]
  for (const [known, rollup] of cases) assert.equal(chooseRollup({ ...asked, ...known }), rollup, JSON.stringify(known))
})

test('what was there before the rollups is read from the events', async () => {
  const driver = createClickHouseClient(server.connection, createLogger({ level: 'silent', program: 'test' }))
  const since = '2026-03-10 00:00:00'
  for (const table of ['activity_by_hour', 'activity_by_day']) {
    await driver.command({ query: `DELETE FROM ${table} WHERE at < '${since}'` })
  }
  await driver.command({ query: `INSERT INTO activity_rollups_complete VALUES ('${since}')` })
  await driver.close()
  await compareAnswers(20)
})
