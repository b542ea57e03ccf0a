import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { createClickHouseClient } from '../../../infra/clickhouse/client.ts'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import type { Log } from '../../../infra/log/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { createLogger } from '../../../infra/runtime/logger.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { derivedId, type EventId, newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { type ActivityRecord, activity } from '../../../schemas/events/activity.ts'
import { ACTIVITY_TOPIC } from '../../../schemas/events/topics.ts'
import { next } from '../../framework/step.ts'
import { activityCodec, RECEIVED_AT, testObserver, testPipeline, testStep } from '../../framework/testing.ts'
import { startTestLog } from '../../framework/testing-log.ts'
import { createBreaker } from '../../framework/wait-for-dependency.ts'
import { ACTIVITY_GROUP, type ActivityOptions, hostActivity } from './activity.ts'
import { storeEvents } from './store-events.ts'

let clickHouse: TestAnalytics
before(async () => {
  clickHouse = await startTestAnalytics()
})
after(() => clickHouse.stop())

const pipeline = testPipeline([testStep('validate', async batch => batch.map(() => next({})))], ['validate'])

/** Events of a workspace of their own, a second apart. */
const someEvents = (count: number): readonly ActivityRecord[] => {
  const workspace_id = newId<WorkspaceId>()
  return Array.from({ length: count }, (_, index) =>
    activity({
      event_id: newId<EventId>(),
      workspace_id,
      kind: 'signal.received',
      occurred_at: RECEIVED_AT + index * 1000 + 7,
      subject_id: `subject ${index}`,
    }),
  )
}

const append = async (log: Log, events: readonly ActivityRecord[]): Promise<void> => {
  const records = events.map(async event => ({
    topic: ACTIVITY_TOPIC,
    key: event.subject_id,
    value: await activityCodec.encode(event),
  }))
  await log.append(await Promise.all(records))
}

/** So many rows, each another event, counted as often by the rollups. */
const once = (count: number) => ({ rows: count, events: count, in_hours: count, in_days: count })

const STORED = `
  SELECT count() AS rows, uniqExact(event_id) AS events,
    (SELECT sum(times) FROM activity_by_hour WHERE workspace_id = {id: UUID}) AS in_hours,
    (SELECT sum(times) FROM activity_by_day WHERE workspace_id = {id: UUID}) AS in_days
  FROM activity WHERE workspace_id = {id: UUID}`

const stored = async ([first]: readonly ActivityRecord[]) => {
  const [counted] = await clickHouse.analytics.query(STORED, { id: first?.workspace_id })
  return counted
}

const host = (log: Log, known: Partial<ActivityOptions> = {}) =>
  hostActivity({
    log,
    analytics: clickHouse.analytics,
    activityCodec,
    breaker: createBreaker({ firstMs: 10, maxMs: 50 }),
    observer: testObserver(),
    lingerMs: 0,
    maxRecords: 100,
    now: Date.now,
    ...known,
  })

const workedOff = (log: Log) =>
  eventually('the activity topic is worked off', async () =>
    (await log.lag(ACTIVITY_GROUP)).every(place => place.committed === place.highWatermark),
  )

const start = (test: TestContext) => startTestLog(test, pipeline)

test('events become rows, with their own times', async t => {
  const log = await start(t)
  const events = someEvents(250)
  await append(log, events)
  await host(log)
  await workedOff(log)

  assert.deepEqual(await stored(events), once(250))
  const statement = 'SELECT toUnixTimestamp64Milli(occurred_at) AS at FROM activity WHERE event_id = {id: UUID}'
  const rows = await clickHouse.analytics.query<{ at: number }>(statement, { id: events[3]?.event_id })
  assert.deepEqual(rows, [{ at: RECEIVED_AT + 3007 }])
})

test('an event that was appended twice, in one block or in two, is one row', async t => {
  const log = await start(t)
  const events = someEvents(30)
  await append(log, [...events, ...events.slice(0, 5)])
  await host(log)
  await workedOff(log)
  await append(log, events)
  await workedOff(log)
  assert.deepEqual(await stored(events), once(30))
})

test('of a block that is asked about in parts, each event is one row', async () => {
  const events = someEvents(3_500)
  await storeEvents(clickHouse.analytics, events.slice(2_900, 3_100), 'one block')
  await storeEvents(clickHouse.analytics, events, 'another')
  assert.deepEqual(await stored(events), once(3_500))
})

test('the events of a signal that its sender sent again are the first ones, however much later it came', async t => {
  const log = await start(t)
  const workspace_id = newId<WorkspaceId>()
  const received = (receivedAt: number): readonly ActivityRecord[] =>
    Array.from({ length: 30 }, (_, index) => {
      const subject_id = derivedId<SignalId>('signal', 'a source', `key ${index}`)
      const event_id = derivedId<EventId>('event', subject_id, 'signal.received')
      return activity({ event_id, workspace_id, kind: 'signal.received', occurred_at: receivedAt + index, subject_id })
    })
  const [first, again] = [received(RECEIVED_AT), received(RECEIVED_AT + DAY_MS)]
  await append(log, first)
  await host(log)
  await workedOff(log)
  await append(log, again)
  await workedOff(log)
  assert.deepEqual(await stored(first), once(30))
  const last = `SELECT toUnixTimestamp64Milli(max(occurred_at)) AS at FROM activity WHERE workspace_id = {id: UUID}`
  assert.deepEqual(await clickHouse.analytics.query(last, { id: workspace_id }), [{ at: RECEIVED_AT + 29 }])
})

test('a delivery that a code host sends again within a week is the first one', async () => {
  const pushed = (receivedAt: number) =>
    someEvents(1).map(event => ({
      ...event,
      event_id: derivedId<EventId>('code_host.event', 'a delivery'),
      workspace_id,
      kind: 'code_host.event' as const,
      occurred_at: receivedAt,
      happened_at: RECEIVED_AT - 90 * DAY_MS,
    }))
  const workspace_id = newId<WorkspaceId>()
  const [first, again] = [pushed(RECEIVED_AT), pushed(RECEIVED_AT + 6 * DAY_MS)]
  await storeEvents(clickHouse.analytics, first, 'a push')
  await storeEvents(clickHouse.analytics, again, 'sent again')
  assert.deepEqual(await stored(first), once(1))
})

test('an insert whose answer was lost is not made twice', async t => {
  const log = await start(t)
  const events = someEvents(40)
  let losses = 3
  const forgetful: Analytics = {
    ...clickHouse.analytics,
    insert: async (...block) => {
      await clickHouse.analytics.insert(...block)
      losses -= 1
      if (losses >= 0) throw new AssayError('unavailable', 'The answer was lost.')
    },
  }
  await append(log, events)
  await host(log, { analytics: forgetful })
  await workedOff(log)
  assert.deepEqual(await stored(events), once(40))
})

test('a rollup that a block did not reach gets it when it is sent again, and the others do not get it twice', async () => {
  const driver = createClickHouseClient(clickHouse.connection, createLogger({ level: 'silent', program: 'test' }))
  // Two months, which are two parts of every table.
  const events = someEvents(20).map((event, index) => ({
    ...event,
    occurred_at: event.occurred_at + index * 3 * DAY_MS,
  }))
  await driver.command({ query: 'DETACH TABLE hours_of_activity' })
  await storeEvents(clickHouse.analytics, events, 'interrupted')
  await driver.command({ query: 'ATTACH TABLE hours_of_activity' })
  await driver.close()
  assert.deepEqual(await stored(events), { ...once(20), in_hours: 0 })

  await storeEvents(clickHouse.analytics, events, 'interrupted')
  assert.deepEqual(await stored(events), once(20))
  await storeEvents(clickHouse.analytics, events, 'interrupted')
  await storeEvents(clickHouse.analytics, events, 'another block that brings the same')
  assert.deepEqual(await stored(events), once(20))
})

test('a block that two sinks send at once, neither seeing the other, counts once', async t => {
  const log = await start(t)
  const events = someEvents(40)
  const tokens: string[] = []
  let losses = 1
  const blind: Analytics = {
    ...clickHouse.analytics,
    query: async () => [],
    insert: async (table, rows, token) => {
      await clickHouse.analytics.insert(table, rows, token)
      tokens.push(token)
      losses -= 1
      if (losses >= 0) throw new AssayError('unavailable', 'The answer was lost.')
    },
  }
  await append(log, events.slice(0, 20))
  const first = await host(log, { analytics: blind, breaker: createBreaker({ firstMs: 60_000, maxMs: 60_000 }) })
  await eventually('the first sink has sent its block', () => tokens.length === 1)
  await first.stop()

  await append(log, events.slice(20))
  await host(log, { analytics: blind })
  await workedOff(log)
  assert.equal(tokens[1], tokens[0], 'the second sink cut the block where the first had cut it')
  assert.deepEqual(await stored(events), once(40))
})

test('a block that was cut before is put together again from smaller batches', async t => {
  const log = await start(t)
  const events = someEvents(50)
  const tokens: string[] = []
  let losses = 1
  const forgetful: Analytics = {
    ...clickHouse.analytics,
    insert: async (table, rows, token) => {
      tokens.push(token)
      losses -= 1
      if (losses >= 0) throw new AssayError('unavailable', 'ClickHouse is away.')
      await clickHouse.analytics.insert(table, rows, token)
    },
  }
  await append(log, events)
  const first = await host(log, { analytics: forgetful, breaker: createBreaker({ firstMs: 60_000, maxMs: 60_000 }) })
  await eventually('the first sink has cut its block', () => tokens.length === 1)
  await first.stop()

  await host(log, { analytics: forgetful, maxRecords: 8 })
  await workedOff(log)
  assert.equal(tokens.length, 2)
  assert.equal(tokens[1], tokens[0])
  assert.deepEqual(await stored(events), once(50))
})

test('events wait while ClickHouse is away', async t => {
  const log = await start(t)
  const events = someEvents(10)
  let isUnavailable = true
  let tries = 0
  const away: Analytics = {
    ...clickHouse.analytics,
    query: (...asked) => {
      tries += 1
      if (isUnavailable) throw new AssayError('unavailable', 'The analytics database is unavailable.')
      return clickHouse.analytics.query(...asked)
    },
  }
  await append(log, events)
  await host(log, { analytics: away })
  await eventually('the sink has tried several times', () => tries >= 3)
  assert.deepEqual(await stored(events), once(0))

  isUnavailable = false
  await workedOff(log)
  assert.deepEqual(await stored(events), once(10))
})

test('a record that is no event is left out and noted, and the others are stored', async t => {
  const log = await start(t)
  const events = someEvents(3)
  await log.append([{ topic: ACTIVITY_TOPIC, key: 'any', value: Buffer.from('garbage') }])
  await append(log, events)
  const observer = testObserver()
  await host(log, { observer })
  await workedOff(log)

  assert.deepEqual(await stored(events), once(3))
  assert.deepEqual(
    observer.notes.map(note => note.facts),
    [{ topic: ACTIVITY_TOPIC, partition: 0, offset: 0 }],
  )
})

test('events that come one by one are gathered into blocks', async t => {
  const log = await start(t)
  const events = someEvents(20)
  const blocks: number[] = []
  const counting: Analytics = {
    ...clickHouse.analytics,
    insert: (table, rows, token) => {
      blocks.push(rows.length)
      return clickHouse.analytics.insert(table, rows, token)
    },
  }
  // By this clock the records have only just come, until it moves on.
  let clock = 0
  await host(log, { analytics: counting, lingerMs: 500, now: () => clock })
  for (const event of events) await append(log, [event])
  clock = Date.now() + 60_000
  await workedOff(log)

  assert.ok(blocks.length < events.length, `${events.length} events were written in ${blocks.length} blocks`)
  assert.deepEqual(await stored(events), once(20))
})
