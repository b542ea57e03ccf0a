import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { createCodec } from '../../infra/log/codec.ts'
import type { GroupPartition, Log, SchemaRegistry } from '../../infra/log/port.ts'
import { createMemoryRegistry } from '../../infra/log/testing-registry.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { AvroRecord } from '../../schemas/events/avro.ts'
import { signalSchema } from '../../schemas/events/signal.avsc.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { signalsTopic } from '../../schemas/events/topics.ts'
import { assertWorking, createHealth, type HealthOptions, leaveWhileUnreadable } from './health.ts'
import { next } from './step.ts'
import { testPipeline, testSignal, testStep } from './testing.ts'
import { hostForTest, startTestLog } from './testing-log.ts'
import { createBreaker } from './wait-for-dependency.ts'

const place = (committed: number, highWatermark: number): GroupPartition => ({
  group: 'assay.validate',
  topic: 'signals.validate',
  partition: 0,
  committed,
  highWatermark,
  oldestUncommittedAt: committed < highWatermark ? 12_000 : null,
})

const watch = (delays = false) => {
  let places: readonly GroupPartition[] = []
  let clock = 0
  let left: string | null = null
  const log: HealthOptions['log'] = { lag: async () => places, left: () => left }
  const breaker = createBreaker({ firstMs: 1000, maxMs: 1000, now: () => clock })
  let paused = false
  const groups = [{ group: 'assay.validate', breaker, delays, isPaused: () => paused }]
  const health = createHealth({ log, groups, stuckAfterMs: 60_000, now: () => clock })
  return {
    breaker,
    pause: (isPaused: boolean) => {
      paused = isPaused
    },
    leave: (reason: string | null) => {
      left = reason
    },
    at: async (time: number, now: readonly GroupPartition[]) => {
      clock = time
      places = now
      const [group] = await health()
      return group
    },
  }
}

test('a group whose place moves is working, however far behind it is', async () => {
  const { at } = watch()
  assert.equal((await at(0, [place(0, 500)]))?.state, 'working')
  const later = await at(90_000, [place(1, 900), place(0, 100)])
  assert.deepEqual(later, {
    group: 'assay.validate',
    state: 'working',
    lag: 999,
    oldestUncommittedAt: 12_000,
    reason: '',
  })
})

test('a group that was left to others waits for what it was left for', async () => {
  const { at, leave } = watch()
  leave('The schema registry cannot be reached.')
  const group = await at(0, [place(5, 9)])
  assert.deepEqual([group?.state, group?.reason], ['waiting', 'The schema registry cannot be reached.'])
  leave(null)
  assert.equal((await at(1, [place(5, 9)]))?.state, 'working')
})

test('a group with lag that does not move is stuck', async () => {
  const { at } = watch()
  await at(0, [place(5, 9)])
  assert.equal((await at(59_999, [place(5, 20)]))?.state, 'working')
  assert.equal((await at(60_000, [place(5, 20)]))?.state, 'stuck')
  assert.equal((await at(61_000, [place(6, 20)]))?.state, 'working')
})

test('time without lag does not count', async () => {
  const { at } = watch()
  await at(0, [place(5, 5)])
  assert.equal((await at(500_000, [place(5, 6)]))?.state, 'working')
})

test('a group that waits for a dependency says so, and is not stuck', async () => {
  const { at, breaker } = watch()
  await at(0, [place(5, 9)])
  breaker.fail('The database is unavailable.')
  breaker.addWaiting(new AbortController().signal)
  const waiting = await at(90_000, [place(5, 9)])
  assert.deepEqual([waiting?.state, waiting?.reason], ['waiting', 'The database is unavailable.'])
})

test('a group that people hold still is paused, for as long as it takes, and has its time when it goes on', async () => {
  const { at, pause } = watch()
  await at(0, [place(5, 9)])
  pause(true)
  const paused = await at(600_000, [place(5, 9)])
  assert.deepEqual([paused?.state, paused?.lag], ['paused', 4])
  assert.doesNotThrow(() => assertWorking(paused === undefined ? [] : [paused]))
  pause(false)
  assert.equal((await at(600_001, [place(5, 9)]))?.state, 'working')
  assert.equal((await at(660_001, [place(5, 9)]))?.state, 'stuck')
})

test('records wait in a delay queue on purpose', async () => {
  const { at } = watch(true)
  await at(0, [place(5, 9)])
  assert.equal((await at(600_000, [place(5, 9)]))?.state, 'working')
})

test('calls while it looks share one look, and a log that says nothing is asked anew', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asked: PromiseWithResolvers<GroupPartition[]>[] = []
  const lag = () => {
    const asking = Promise.withResolvers<GroupPartition[]>()
    asked.push(asking)
    return asking.promise
  }
  const breaker = createBreaker({ firstMs: 1000, maxMs: 1000, now: () => 0 })
  const groups = [{ group: 'assay.validate', breaker, delays: false }]
  const health = createHealth({ log: { lag, left: () => null }, groups, stuckAfterMs: 60_000, now: () => 0 })
  const [first, second] = [health(), health()]
  asked[0]?.resolve([place(5, 9)])
  assert.deepEqual(await first, await second)
  assert.equal(asked.length, 1)
  const silent = assert.rejects(health(), { code: 'timeout' })
  t.mock.timers.tick(30_000)
  await silent
  const answered = health()
  asked[2]?.resolve([place(9, 9)])
  assert.equal((await answered)[0]?.lag, 0)
})

const logger = pino({ level: 'silent' })
const newer: AvroRecord = {
  ...signalSchema,
  fields: [...signalSchema.fields, { name: 'mood', type: 'string', default: '', doc: 'Of a later version.' }],
}
const gone = new AssayError('unavailable', 'The schema registry cannot be reached.')

const codecOf = (registry: SchemaRegistry, schema: AvroRecord) =>
  createCodec<SignalRecord>({ registry, subject: 'signal', schema })

/** A processor of the only segment, which notes what it has worked on. */
const join = async (log: Log, signalCodec: ReturnType<typeof codecOf>) => {
  const seen: string[] = []
  const step = testStep('validate', async batch => {
    seen.push(...batch.map(({ signal_id }) => signal_id))
    return batch.map(() => next({}))
  })
  const readable = leaveWhileUnreadable(log, logger)
  const consumer = await hostForTest(log, testPipeline([step], ['validate']), 'validate', {
    log: readable,
    signalCodec,
  })
  return { seen, consumer, left: () => readable.left('assay.validate') }
}

/**
 * A processor that knows the first schema and reads nothing else while the registry is away; and records of both
 * schemas.
 */
const start = async (t: TestContext) => {
  const registry = createMemoryRegistry()
  const state = { away: false }
  const unlessAway = <T>(ask: () => Promise<T>) => (state.away ? Promise.reject(gone) : ask())
  const older = codecOf({ ...registry, schemaById: id => unlessAway(() => registry.schemaById(id)) }, signalSchema)
  await older.ready()
  const later = codecOf(registry, newer)
  await later.ready()
  state.away = true
  const log = await startTestLog(t, testPipeline([testStep('validate', async () => [])], ['validate']))
  const append = async (codec: ReturnType<typeof codecOf>, signal: SignalRecord) => {
    // A later version has a field more, which the type of this one does not know.
    const value = await codec.encode({ ...signal, mood: 'calm' } as SignalRecord)
    await log.append([{ topic: signalsTopic('validate'), key: signal.signal_id, value }])
    return signal.signal_id
  }
  return { log, state, older, later, append }
}

test('A record of a schema that only the absent registry knows is left to processors that know it.', async t => {
  const { log, state, older, later, append } = await start(t)
  const unable = await join(log, older)
  const known = await append(older, testSignal('known'))
  await eventually('what it knows is worked on without the registry', () => unable.seen.length === 1)
  const [behind, unknown] = [await append(older, testSignal('behind')), await append(later, testSignal('new'))]
  await eventually('it has left its group', () => unable.left() !== null)
  assert.equal(unable.left(), gone.publicMessage)
  assert.deepEqual(unable.seen, [known, behind], 'what stands before the record is worked off')

  const able = await join(log, later)
  await eventually('another works on the record', () => able.seen.length === 1)
  assert.deepEqual(able.seen, [unknown])
  await able.consumer.stop()

  state.away = false
  await eventually('it has joined again', () => unable.left() === null)
  const last = await append(later, testSignal('later'))
  await eventually('it can read the new schema', () => unable.seen.includes(last))
  assert.deepEqual(unable.seen, [known, behind, last])
})

test('A group that cannot be joined again says why, and is tried again until it is.', async t => {
  const { log, state, older, later, append } = await start(t)
  let refusal: AssayError | null = null
  const consume: Log['consume'] = async options => {
    if (refusal) throw refusal
    return log.consume(options)
  }
  const processor = await join({ ...log, consume }, older)
  t.after(() => processor.consumer.stop())
  const unknown = await append(later, testSignal('new'))
  await eventually('it has left its group', () => processor.left() !== null)
  refusal = new AssayError('forbidden', 'The group is not yours.')
  state.away = false
  await eventually('it says why it is not there', () => processor.left() === 'The group is not yours.')
  refusal = null
  await eventually('it works on the record', () => processor.seen.includes(unknown))
  assert.equal(processor.left(), null)
})

test('A processor that waits for the registry stops at once.', async t => {
  const { log, later, older, append } = await start(t)
  const unable = await join(log, older)
  await append(later, testSignal('new'))
  await eventually('it has left its group', () => unable.left() !== null)
  await unable.consumer.stop()
  const place = (await log.lag('assay.validate')).find(({ topic }) => topic === signalsTopic('validate'))
  assert.deepEqual([place?.committed, place?.highWatermark], [0, 1])
})
