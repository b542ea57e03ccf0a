import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinRemainingCpu } from '../../../infra/runtime/cpu-budget.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { DEAD_LETTERS_TOPIC, signalsTopic } from '../../../schemas/events/topics.ts'
import { createPace } from '../pace.ts'
import type { ErasedStep } from '../pipeline.ts'
import { processBatch } from '../process-batch.ts'
import { runStep } from '../run-step.ts'
import { next } from '../step.ts'
import {
  header,
  LONG_BUDGETS,
  movesIn,
  segmentWork,
  stored,
  testPace,
  testPipeline,
  testSignal,
  testStep,
} from '../testing.ts'

// A step may use so much CPU for one signal (`STEP_CPU_BUDGET_MS`). It is ended there, in the middle of a regular
// expression if need be, and the signal is a dead letter of a fault of its own; its neighbours go on. A step that
// looks at each signal alone (`isPerSignal`) is run in parts: the event loop turns in between, and what a batch has no
// time for is left to the next one. A step that waits for others is never ended itself; what it reads of strangers it
// reads by `withinRemainingCpu`, which is watched as a whole, and for each signal alone once the watchdog has barked.

const BUDGET_MS = 150

const bodyOf = ({ received }: SignalRecord): string => received?.body ?? ''

/** Tries 2^40 ways to read what it cannot match. */
const endless = (): boolean => /^(a+)+$/.test(`${'a'.repeat(40)}!`)

const burn = (milliseconds: number): void => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const isPerSignal = (step: ErasedStep): ErasedStep => ({ ...step, isPerSignal: true })

const read = (signal: SignalRecord) => {
  if (bodyOf(signal).includes('endless')) endless()
  return next({})
}
const scrub = testStep('scrub', async batch => batch.map(read))
const asking = testStep('embed', async batch => withinRemainingCpu(() => batch.map(read)))

const texts = ['one', 'two', 'endless', 'four', 'five']

for (const [kind, step] of [
  ['that looks at each signal alone', isPerSignal(scrub)],
  ['that works on its batch as a whole', asking],
] as const) {
  test(`a step ${kind} is ended within an endless regular expression, and the neighbours go on`, async () => {
    const signals = texts.map(text => testSignal(text))
    const outcomes = await runStep(step, signals, testPace({ cpuBudgetMs: BUDGET_MS }))
    assert.deepEqual(
      outcomes.map(outcome => (outcome.kind === 'dead' ? [outcome.fault, outcome.errorClass] : outcome.kind)),
      ['next', 'next', ['too_costly', 'too_costly'], 'next', 'next'],
    )
  })
}

test('a step that asks others asks once, however long the machine has other things to do', async () => {
  let asked = 0
  const failing = testStep('embed', async batch => {
    const answer = Promise.resolve().then(() => {
      asked += 1
      throw new AssayError('busy', 'The model has too much to do.')
    })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUDGET_MS * 2)
    await answer
    return batch.map(() => next({}))
  })
  const outcomes = await runStep(failing, [testSignal('one')], testPace({ cpuBudgetMs: BUDGET_MS }))
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['retry'],
  )
  assert.equal(asked, 1)
})

test('the dead letter says how much it may cost, and that it is nobody’s fault but its own', async () => {
  const pipeline = testPipeline([isPerSignal(scrub)], ['scrub'])
  const records = [await stored(testSignal('endless'))]
  const pace = testPace({ cpuBudgetMs: BUDGET_MS })
  const [deadLetter] = movesIn((await processBatch(records, segmentWork(pipeline, 'scrub'), pace)).outputs)
  assert.equal(deadLetter?.topic, DEAD_LETTERS_TOPIC)
  assert.equal(header(deadLetter, 'fault'), 'too_costly')
  assert.match(header(deadLetter, 'errorMessage') ?? '', /more than the 150 ms of CPU/)
})

test('many records that are dear together, and none of them too dear, all go on', async () => {
  const dear = isPerSignal(
    testStep('scrub', async batch =>
      batch.map(() => {
        burn(BUDGET_MS / 5)
        return next({})
      }),
    ),
  )
  const signals = Array.from({ length: 8 }, (_, index) => testSignal(`dear ${index}`))
  const outcomes = await runStep(dear, signals, testPace({ cpuBudgetMs: BUDGET_MS }))
  assert.deepEqual(new Set(outcomes.map(({ kind }) => kind)), new Set(['next']))
})

test('a batch that takes too long is cut: what is done is appended, and the rest comes with the next', async () => {
  const slow = isPerSignal(
    testStep('scrub', async batch =>
      batch.map(() => {
        burn(20)
        return next({})
      }),
    ),
  )
  const pipeline = testPipeline([slow, testStep('embed', async batch => batch.map(() => next({})))], ['scrub', 'embed'])
  const signals = Array.from({ length: 40 }, (_, index) => testSignal(`slow ${index}`))
  const records = await Promise.all(signals.map((signal, offset) => stored(signal, { offset: 100 + offset })))
  const processed = await processBatch(records, segmentWork(pipeline, 'scrub'), testPace({ batchMs: 100 }))
  const moves = movesIn(processed.outputs)
  assert.ok(processed.done > 0 && processed.done < 40, `it was cut at ${processed.done}`)
  assert.deepEqual(
    moves.map(({ topic, key }) => [topic, key]),
    signals.slice(0, processed.done).map(({ signal_id }) => [signalsTopic('embed'), signal_id]),
  )
})

test('between the parts heartbeats go out and a stop is seen: nothing of the batch counts as done', async () => {
  const stop = new AbortController()
  let done = 0
  const slow = isPerSignal(
    testStep('scrub', async batch =>
      batch.map(() => {
        burn(20)
        done += 1
        return next({})
      }),
    ),
  )
  let beats = 0
  const heartbeat = async () => {
    beats += 1
    stop.abort()
  }
  const pace = createPace({ isLost: () => stop.signal.aborted, heartbeat }, LONG_BUDGETS)
  const signals = Array.from({ length: 100 }, (_, index) => testSignal(`slow ${index}`))
  await assert.rejects(runStep(slow, signals, pace), { code: 'partition_lost' })
  assert.ok(done > 0 && done < 100 && beats > 0, `${done} done, ${beats} heartbeats`)
})
