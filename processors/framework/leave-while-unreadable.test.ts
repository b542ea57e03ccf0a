import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { createCodec } from '../../infra/log/codec.ts'
import type { Log, SchemaRegistry } from '../../infra/log/port.ts'
import { createMemoryRegistry } from '../../infra/log/testing-registry.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { AvroRecord } from '../../schemas/events/avro.ts'
import { signalSchema } from '../../schemas/events/signal.avsc.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import { signalsTopic } from '../../schemas/events/topics.ts'
import { leaveWhileUnreadable } from './health.ts'
import { next } from './step.ts'
import { testPipeline, testSignal, testStep } from './testing.ts'
import { hostForTest, startTestLog } from './testing-log.ts'

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

test('A processor that waits for the registry stops at once.', async t => {
  const { log, later, older, append } = await start(t)
  const unable = await join(log, older)
  await append(later, testSignal('new'))
  await eventually('it has left its group', () => unable.left() !== null)
  await unable.consumer.stop()
  const place = (await log.lag('assay.validate')).find(({ topic }) => topic === signalsTopic('validate'))
  assert.deepEqual([place?.committed, place?.highWatermark], [0, 1])
})
