import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStep } from '../run-step.ts'
import { dead, next, retry, skip } from '../step.ts'
import { testPace, testSignal, testStep } from '../testing.ts'

// For each signal of its batch, in order, a step answers one of four results:
//
//   next(adds)                   it goes on, with these parts added
//   skip(reason, duplicateOf)    it ends here as it should: it repeats another signal
//   retry(reason)                something transient stood in the way: it comes back later
//   dead(reason, fault)          it can never succeed; the fault is the sender's, or ours
//
// The step says what is the case. What becomes of the signal is the runtime's business.

test('each signal of a batch has a result of its own', async () => {
  const original = testSignal('the first').signal_id
  const step = testStep('validate', async () => [
    next({}),
    skip('same_text', original),
    retry('The model is loading.'),
    dead('/text must not be empty.'),
    dead('No rule fits this.', 'ours'),
  ])

  const outcomes = await runStep(
    step,
    ['good', 'repeated', 'too early', 'empty', 'odd'].map(text => testSignal(text)),
    testPace(),
  )

  assert.deepEqual(outcomes, [
    { kind: 'next', adds: {} },
    { kind: 'skip', reason: 'same_text', duplicateOf: original },
    { kind: 'retry', reason: 'The model is loading.', errorClass: 'transient' },
    { kind: 'dead', fault: 'sender', reason: '/text must not be empty.', errorClass: 'invalid_input' },
    { kind: 'dead', fault: 'ours', reason: 'No rule fits this.', errorClass: 'internal' },
  ])
})

test('a step that loses count of its batch does not shift the results of others', async () => {
  const forgetful = testStep('validate', async batch => batch.slice(1).map(() => next({})))

  const outcomes = await runStep(forgetful, [testSignal('one'), testSignal('two')], testPace())

  assert.deepEqual(
    outcomes.map(outcome => outcome.kind === 'dead' && [outcome.fault, outcome.reason]),
    [
      ['ours', "The step 'validate' gave 0 results for 1 signal."],
      ['ours', "The step 'validate' gave 0 results for 1 signal."],
    ],
  )
})
