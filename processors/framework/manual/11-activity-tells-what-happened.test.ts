import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEADERS } from '../../../schemas/events/topics.ts'
import { dead, next, skip } from '../step.ts'
import {
  eventsIn,
  outputsOf,
  RECEIVED_AT,
  segmentWork,
  stored,
  testContent,
  testPipeline,
  testSignal,
  testStep,
} from '../testing.ts'

// Each step's word on a signal is an activity record, `signal.step`, and so is the receipt of a signal,
// `signal.received`. The receipt is recorded once scrub is passed: then it is known what kind of signal it was, and
// nothing personal is left to record. A signal that dies before is recorded as received when it dies.

const pipeline = testPipeline(
  [
    testStep('validate', async batch =>
      batch.map(({ received }) => (received?.body.includes('bad') ? dead('Not allowed.') : next({}))),
    ),
    testStep('normalize', async batch =>
      batch.map(() => next({ content: testContent('call sender@example.com', { source: 'sender@example.com' }) })),
    ),
    testStep('scrub', async batch =>
      batch.map(() =>
        next({
          content: testContent('call [EMAIL]', { source: 'Support desk', signal_origin: 'internal', actor_role: 'pm' }),
          scrubbed: { version: '1', replaced: { EMAIL: 1 } },
        }),
      ),
    ),
    testStep('embed', async batch => batch.map(signal => skip('same_text', signal.signal_id))),
  ],
  ['validate'],
)

const tell = async (text: string) => {
  const signal = testSignal(text)
  const outputs = await outputsOf([await stored(signal)], segmentWork(pipeline, 'validate'))
  return { signal, outputs, events: await eventsIn(outputs) }
}

test('each step is recorded, in its place, with its outcome', async () => {
  const { signal, events } = await tell('good')
  assert.deepEqual(
    events
      .filter(event => event.kind === 'signal.step')
      .map(event => [event.step_ordinal, event.step, event.outcome, event.reason]),
    [
      [1, 'validate', 'next', ''],
      [2, 'normalize', 'next', ''],
      [3, 'scrub', 'next', ''],
      [4, 'embed', 'skip', 'same_text'],
    ],
  )
  for (const event of events) {
    assert.equal(event.subject_id, signal.signal_id)
    assert.equal(event.occurred_at, RECEIVED_AT)
  }
  const steps = events.filter(event => event.kind === 'signal.step')
  assert.ok(
    steps.every(event => event.elapsed_ms === 1000),
    'since the receipt, by the clock of the runtime',
  )
})

test('a receipt is recorded once, with what kind of signal it was', async () => {
  const { events } = await tell('good')
  const receipts = events.filter(event => event.kind === 'signal.received')
  assert.deepEqual(
    receipts.map(event => [event.source, event.signal_origin, event.actor_role]),
    [['Support desk', 'internal', 'pm']],
  )
})

test('a signal that dies before scrub was received all the same', async () => {
  const { events } = await tell('bad')
  assert.deepEqual(
    events.map(event => event.kind),
    ['signal.step', 'signal.received', 'signal.dead_letter'],
  )
})

test('nothing that scrub has not seen is recorded', async () => {
  const { events } = await tell('good')
  assert.doesNotMatch(JSON.stringify(events), /sender@example\.com/)
})

test('the activity of a signal keeps its order: it shares a key', async () => {
  const { signal, outputs } = await tell('good')
  for (const output of outputs) assert.equal(output.key, signal.signal_id)
})

test('a replay makes events of its own, which say so; the receipt stays the one', async () => {
  const signal = testSignal('good')
  const eventsOf = async (headers: Readonly<Record<string, string>>) =>
    eventsIn(await outputsOf([await stored(signal, { headers })], segmentWork(pipeline, 'validate')))
  const [first, again] = [await eventsOf({}), await eventsOf({ [HEADERS.replay]: '2' })]
  const known = new Set(first.map(event => event.event_id))
  assert.deepEqual(
    again.map(event => [event.kind, event.replay, known.has(event.event_id)]),
    [
      ['signal.step', 2, false],
      ['signal.step', 2, false],
      ['signal.step', 2, false],
      ['signal.received', 0, true],
      ['signal.step', 2, false],
    ],
  )
})
