import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { runStep } from '../run-step.ts'
import { next } from '../step.ts'
import { testPace, testSignal, testStep } from '../testing.ts'

// A step works on a batch at once: one statement, one call to a model. So one record that a database refuses makes the
// whole statement fail. The runtime then runs the step over the halves, and their halves, until the culprit stands
// alone and dies as our fault. Its neighbours go on as if it had not been there.

/** As a database reports a value that it cannot store. */
const refused = () =>
  new AssayError('invalid_input', 'A value cannot be stored as it is.', {
    cause: Object.assign(new Error('invalid byte sequence'), { code: '22021' }),
  })

const texts = ['one', 'two', 'bad', 'four', 'five', 'six', 'seven', 'eight']

test('a record that makes its batch fail dies alone', async () => {
  const sizes: number[] = []
  const insert = testStep('insert', async batch => {
    sizes.push(batch.length)
    if (batch.some(signal => signal.received?.body.includes('bad'))) throw refused()
    return batch.map(() => next({}))
  })

  const outcomes = await runStep(
    insert,
    texts.map(text => testSignal(text)),
    testPace(),
  )

  assert.deepEqual(
    outcomes.map(outcome => outcome.kind),
    ['next', 'next', 'dead', 'next', 'next', 'next', 'next', 'next'],
  )
  const culprit = outcomes[2]
  assert.equal(culprit?.kind === 'dead' && culprit.errorClass, '22021')
  assert.equal(culprit?.kind === 'dead' && culprit.fault, 'ours')
  assert.deepEqual(sizes, [8, 4, 2, 2, 1, 1, 4], 'eight records took seven runs, not eight single ones')
})

test('an error that nobody foresaw is shown without its text, which may quote the record', async () => {
  const step = testStep('normalize', async ([signal]) => {
    throw new TypeError(`Cannot read ${signal?.received?.body}`)
  })

  const [outcome] = await runStep(step, [testSignal('call me: +1 202 555 0143')], testPace())

  assert.equal(outcome?.kind, 'dead')
  assert.equal(outcome?.kind === 'dead' && outcome.errorClass, 'TypeError')
  assert.doesNotMatch(outcome?.kind === 'dead' ? outcome.reason : '', /555/)
})

test('a transient error is nobody’s fault: it sends the part of the batch that it hit to retry, undivided', async () => {
  let runs = 0
  const embed = testStep('embed', async () => {
    runs += 1
    throw new AssayError('timeout', 'The embedding model took too long.')
  })

  const outcomes = await runStep(embed, [testSignal('one'), testSignal('two')], testPace())

  assert.equal(runs, 1)
  for (const outcome of outcomes) {
    assert.deepEqual([outcome.kind, 'errorClass' in outcome && outcome.errorClass], ['retry', 'timeout'])
  }
})

test('a serialization failure that an adapter passed on as it was is transient too', async () => {
  const step = testStep('insert', async () => {
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  })
  const [outcome] = await runStep(step, [testSignal('one')], testPace())
  assert.equal(outcome?.kind, 'retry')
})

test('a dependency that is away gives nobody an outcome', async () => {
  const step = testStep('insert', async () => {
    throw new AssayError('unavailable', 'The database is unavailable.')
  })
  await assert.rejects(runStep(step, [testSignal('one'), testSignal('two')], testPace()), { code: 'unavailable' })
})
