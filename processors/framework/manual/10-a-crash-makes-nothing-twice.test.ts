import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { next, retry } from '../step.ts'
import { eventsIn, outputsOf, segmentWork, stored, testPipeline, testSignal, testStep } from '../testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../testing-log.ts'

// The runtime appends everything that follows from a batch, and only then commits the batch's place. A crash in between
// loses nothing, but the batch comes again. So delivery is at least once, and effects are made idempotent: rows have
// the signal's id as key, and an event's id and time come from the signal and what happened to it, never from a clock.
// What is made again is the same thing.

const pipeline = testPipeline(
  [
    testStep('validate', async batch =>
      batch.map(({ received }) => (received?.body.includes('slow') ? retry('Too slow.') : next({}))),
    ),
    testStep('embed', async batch => batch.map(() => next({}))),
  ],
  ['validate', 'embed'],
)

test('a batch that is worked on again makes the same events', async () => {
  const records = [await stored(testSignal('fine')), await stored(testSignal('slow'), { offset: 1 })]
  const runAt = async (time: number) => {
    const outputs = await outputsOf(records, segmentWork(pipeline, 'validate', { now: () => time }))
    return (await eventsIn(outputs)).map(({ event_id, occurred_at }) => ({ event_id, occurred_at }))
  }
  assert.deepEqual(await runAt(Date.UTC(2026, 4, 2)), await runAt(Date.UTC(2026, 4, 3)))
})

test('different attempts and different steps are different events', async () => {
  const signal = testSignal('slow')
  const ids = async (headers: Record<string, string>) => {
    const outputs = await outputsOf([await stored(signal, { headers })], segmentWork(pipeline, 'validate'))
    return (await eventsIn(outputs)).map(event => event.event_id)
  }
  const all = [...(await ids({})), ...(await ids({ 'assay-attempt': '2' })), ...(await ids({ 'assay-replay': '1' }))]
  assert.equal(new Set(all).size, all.length)
})

test('outputs are acknowledged before the place is committed: an append that fails is made again', async t => {
  const log = await startTestLog(t, pipeline)
  const done = await watchTopic(log, 'signals.embed')
  let failures = 2
  const failing = {
    ...log,
    append: async (records: Parameters<typeof log.append>[0]) => {
      if (failures > 0) {
        failures -= 1
        assert.equal((await log.lag('assay.validate'))[0]?.committed, 0)
        throw new AssayError('unavailable', 'The log does not answer.')
      }
      await log.append(records)
    },
  }
  const signals = Array.from({ length: 20 }, (_, index) => testSignal(`signal ${index}`))
  await appendSignals(log, 'validate', signals)
  await hostForTest(failing, pipeline, 'validate')

  await eventually('every signal went on', () => done.length >= signals.length)
  await eventually('the place is committed', async () => (await log.lag('assay.validate'))[0]?.committed === 20)
  assert.deepEqual(new Set(done.map(record => record.key)), new Set(signals.map(signal => signal.signal_id)))
})

test('another processor goes on where the first has committed', async t => {
  const log = await startTestLog(t, pipeline)
  const done = await watchTopic(log, 'signals.embed')
  const first = await hostForTest(log, pipeline, 'validate')
  await appendSignals(log, 'validate', [testSignal('one')])
  await eventually('the first signal went on', () => done.length === 1)
  await first.stop()

  await appendSignals(log, 'validate', [testSignal('two')])
  await hostForTest(log, pipeline, 'validate')
  await eventually('the second signal went on', () => done.length >= 2)
  assert.equal(done.length, 2)
})
