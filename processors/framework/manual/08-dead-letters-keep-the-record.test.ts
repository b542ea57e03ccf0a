import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dead, next } from '../step.ts'
import {
  eventsIn,
  header,
  movesIn,
  outputsOf,
  segmentWork,
  stored,
  testContent,
  testObserver,
  testPipeline,
  testSignal,
  testStep,
} from '../testing.ts'

// A signal that dies is appended to `dead-letters` as it was at its segment's head, so that it can be replayed from
// there. Headers say at which step it died, of what, and whose fault it was: the sender's, ours, or that of a
// dependency which was gone too long. A record from before scrub may hold personal data; the dead letter says so, and
// is stored sealed.

const pipeline = testPipeline(
  [
    testStep('validate', async batch =>
      batch.map(({ received }) => (received?.body.includes('bad') ? dead('/text is not allowed.') : next({}))),
    ),
    testStep('scrub', async batch =>
      batch.map(() => next({ content: testContent('clean'), scrubbed: { version: '1', replaced: {} } })),
    ),
    testStep('embed', async batch =>
      batch.map(({ received }) => {
        if (received?.body.includes('odd')) throw new RangeError('Nobody foresaw this.')
        return next({})
      }),
    ),
  ],
  ['validate', 'embed'],
)

const deadLettersOf = async (head: 'validate' | 'embed', record: Awaited<ReturnType<typeof stored>>) => {
  const observer = testObserver()
  const outputs = await outputsOf([record], segmentWork(pipeline, head, { observer }))
  const deadLetters = movesIn(outputs).filter(output => output.topic === 'dead-letters')
  return { deadLetters, outputs, notes: observer.notes }
}

test('a dead letter is the record as it came, with what there is to know', async () => {
  const signal = testSignal('bad')
  const record = await stored(signal)
  const { deadLetters } = await deadLettersOf('validate', record)

  assert.equal(deadLetters.length, 1)
  assert.equal(deadLetters[0]?.key, signal.signal_id)
  assert.deepEqual(deadLetters[0]?.value, record.value)
  assert.equal(header(deadLetters[0], 'returnTo'), 'signals.validate')
  assert.equal(header(deadLetters[0], 'step'), 'validate')
  assert.equal(header(deadLetters[0], 'errorClass'), 'invalid_input')
  assert.equal(header(deadLetters[0], 'errorMessage'), '/text is not allowed.')
  assert.equal(header(deadLetters[0], 'fault'), 'sender')
  assert.equal(header(deadLetters[0], 'personal'), 'true')
})

test('a dead letter from behind scrub is not personal, and a throw is our fault', async () => {
  const { deadLetters, notes } = await deadLettersOf('embed', await stored(testSignal('odd')))
  assert.equal(header(deadLetters[0], 'personal'), 'false')
  assert.equal(header(deadLetters[0], 'fault'), 'ours')
  assert.equal(header(deadLetters[0], 'errorClass'), 'RangeError')
  assert.deepEqual(
    notes.map(note => note.message),
    ['A step threw on a signal'],
    'the process log tells where it was thrown',
  )
})

test('what is no signal at all is kept as it is, and holds nobody up', async () => {
  const garbage = await stored(Buffer.from('not a record'), { key: 'some key', offset: 7 })
  const observer = testObserver()
  const records = [garbage, await stored(testSignal('good'), { offset: 8 })]
  const outputs = await outputsOf(records, segmentWork(pipeline, 'validate', { observer }))

  const [deadLetter, survivor] = movesIn(outputs)
  assert.equal(deadLetter?.topic, 'dead-letters')
  assert.deepEqual(deadLetter?.value, garbage.value)
  assert.equal(header(deadLetter, 'errorClass'), 'undecodable')
  assert.equal(survivor?.topic, 'signals.embed')
})

test('a death is recorded in the activity, with its reason', async () => {
  const { outputs } = await deadLettersOf('validate', await stored(testSignal('bad')))
  const [recorded] = (await eventsIn(outputs)).filter(event => event.kind === 'signal.dead_letter')
  assert.equal(recorded?.step, 'validate')
  assert.equal(recorded?.outcome, 'sender')
  assert.equal(recorded?.reason, '/text is not allowed.')
})
