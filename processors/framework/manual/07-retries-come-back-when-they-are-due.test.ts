import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { HEADERS } from '../../../schemas/events/topics.ts'
import { hostTopicMover } from '../mover.ts'
import { dead, next, retry } from '../step.ts'
import {
  header,
  movesIn,
  outputsOf,
  RECEIVED_AT,
  segmentWork,
  signalCodec,
  stored,
  testObserver,
  testPipeline,
  testSignal,
  testStep,
} from '../testing.ts'
import { startTestLog, watchTopic } from '../testing-log.ts'
import { createBreaker } from '../wait-for-dependency.ts'

// A signal that cannot be worked on for now goes to a delay queue, a topic such as `retry.10s`, as it was at its
// segment's head. There it waits without holding anybody up. The mover brings it back to the head when it is due. Steps
// are idempotent, so the ones that it had passed already may see it again. When it has waited through every queue it
// becomes a dead letter.

const pipeline = testPipeline(
  [
    testStep('validate', async batch => batch.map(() => next({}))),
    testStep('embed', async batch =>
      batch.map(signal => (signal.received?.body.includes('good') ? next({}) : retry('The model is loading.'))),
    ),
  ],
  ['validate'],
)
const work = segmentWork(pipeline, 'validate')

test('a retry is the record as it came, with where it returns to and when', async () => {
  const record = await stored(testSignal('not yet'))
  const [retried, ...more] = movesIn(await outputsOf([record], work))

  assert.deepEqual(more, [])
  assert.equal(retried?.topic, 'retry.10s')
  assert.equal(retried?.key, record.key)
  assert.deepEqual(retried?.value, record.value)
  const failedAt = RECEIVED_AT + 1000
  assert.deepEqual(retried?.headers, {
    [HEADERS.returnTo]: 'signals.validate',
    [HEADERS.attempt]: '2',
    [HEADERS.dueAt]: String(failedAt + 10_000),
    [HEADERS.step]: 'embed',
    [HEADERS.errorClass]: 'transient',
    [HEADERS.errorMessage]: 'The model is loading.',
    [HEADERS.firstFailedAt]: String(failedAt),
    [HEADERS.lastFailedAt]: String(failedAt),
  })
})

test('neighbours of a retry go on without it', async () => {
  const records = [await stored(testSignal('good')), await stored(testSignal('not yet'), { offset: 1 })]
  const outputs = await outputsOf(records, work)
  assert.deepEqual(
    movesIn(outputs).map(output => output.topic),
    ['retry.10s'],
  )
})

test('each attempt waits longer, and after the last one the signal is a dead letter', async () => {
  const topicAfter = async (attempt: number) => {
    const record = await stored(testSignal('not yet'), { headers: { [HEADERS.attempt]: String(attempt) } })
    return movesIn(await outputsOf([record], work))[0]
  }
  assert.equal((await topicAfter(1))?.topic, 'retry.10s')
  assert.equal((await topicAfter(2))?.topic, 'retry.1m')
  const deadLetter = await topicAfter(3)
  assert.equal(deadLetter?.topic, 'dead-letters')
  assert.equal(header(deadLetter, 'fault'), 'transient')
  assert.equal(header(deadLetter, 'attempt'), '3')
})

test('what can never succeed is not tried again', async () => {
  const refusing = testPipeline([testStep('validate', async batch => batch.map(() => dead('No text.')))], ['validate'])
  const outputs = await outputsOf([await stored(testSignal(''))], segmentWork(refusing, 'validate'))
  assert.deepEqual(
    movesIn(outputs).map(output => output.topic),
    ['dead-letters'],
  )
})

test('the mover brings a record back when it is due, and never before', async t => {
  const log = await startTestLog(t, pipeline)
  const returned = await watchTopic(log, 'signals.validate')
  const signals = ['first', 'second'].map(text => testSignal(text))
  const dues: number[] = []
  for (const signal of signals) {
    const dueAt = Date.now() + 300
    dues.push(dueAt)
    await log.append([
      {
        topic: 'retry.10s',
        key: signal.signal_id,
        value: await signalCodec.encode(signal),
        headers: { [HEADERS.returnTo]: 'signals.validate', [HEADERS.attempt]: '2', [HEADERS.dueAt]: String(dueAt) },
      },
    ])
  }

  const breaker = createBreaker({ firstMs: 20, maxMs: 100 })
  const delay = { name: '10s', ms: 10_000 }
  await hostTopicMover({ log, delay, breaker, observer: testObserver(), now: Date.now })
  await eventually('both records are back', () => returned.length === 2)

  for (const [index, record] of returned.entries()) {
    const dueAt = dues[index] ?? Number.NaN
    assert.ok(record.timestamp >= dueAt, `record ${index} came back ${dueAt - record.timestamp} ms early`)
    assert.equal(record.key, signals[index]?.signal_id)
    assert.deepEqual(record.headers, { [HEADERS.attempt]: '2' })
  }
})
