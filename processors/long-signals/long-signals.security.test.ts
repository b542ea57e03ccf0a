import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPseudonymizer } from '../../infra/runtime/secrets.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'
import type { Offload } from '../framework/pace.ts'
import { runStep } from '../framework/run-step.ts'
import type { Outcome } from '../framework/step.ts'
import { testContent, testPace, testSignal } from '../framework/testing.ts'
import { untilScrubbed } from '../steps/until-scrubbed.ts'
import { describeTopology } from '../topology.ts'
import { createLongSignals } from './long-signals.ts'

const installationKey = new Uint8Array(32).fill(5)
const threads: { stop(): Promise<void> }[] = []
const start = (cpuBudgetMs = 5000) => {
  // Budgets are of CPU; how long a busy machine takes to start a thread is not what is looked at.
  const deadlineMs = 120_000
  const logger = { warn: () => assert.fail('the thread ended') }
  const long = createLongSignals({ installationKey, cpuBudgetMs }, logger, deadlineMs)
  threads.push(long)
  return long
}
after(() => Promise.all(threads.map(thread => thread.stop())))

const { steps } = untilScrubbed({ actorKey: createPseudonymizer(installationKey, 'actors') })
const LONG = 'Call +49 (30) 1234-5678 or write to a@example.com, the export crashes. '.repeat(300)

const whole = (text: string): SignalRecord =>
  testSignal(text, {
    content: testContent(text, { actor_email: 'mara@example.com', metadata: '{"a":"b@example.com"}' }),
  })

/** What was thrown does not leave its thread, but for where. */
const withoutCause = (outcome: Outcome) => ({ ...outcome, cause: undefined })

test('A long signal becomes on its thread what it becomes here, in each step.', async () => {
  const long = start()
  const signals = [whole(LONG), { ...whole(LONG), received: { format: 'signal', body: '{"text":' } as const }]
  for (const step of steps) {
    for (const signal of signals) {
      const [here] = await runStep(step, [signal], testPace())
      const there = await long.runStep(step.name, signal)
      assert.deepEqual(withoutCause(there), here && withoutCause(here), step.name)
    }
  }
})

test('Each step that looks at a signal alone can run on the thread.', () => {
  const perSignal = describeTopology().steps.filter(({ isPerSignal }) => isPerSignal)
  assert.deepEqual(
    perSignal.map(({ name }) => name),
    steps.map(({ name }) => name),
  )
})

test('Long signals leave the pipeline’s thread, ordinary ones stay, and each keeps its place.', async () => {
  const seen: string[] = []
  const apart: Offload = async (_step, { signal_id }) => {
    seen.push(signal_id)
    return { kind: 'skip', reason: 'apart', duplicateOf: signal_id }
  }
  const [validate] = steps
  assert.ok(validate)
  const batch = ['one', LONG, 'two', 'three', LONG, LONG].map(text => testSignal(text))
  const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind)
  const outcomes = await runStep(validate, batch, testPace({ offload: apart }))
  assert.deepEqual(kinds(outcomes), ['next', 'skip', 'next', 'next', 'skip', 'skip'])
  assert.deepEqual(
    seen,
    [1, 4, 5].map(place => batch[place]?.signal_id),
  )
})

test('A long signal has its budget of CPU there, too.', async () => {
  const long = start(1)
  const dearest = whole('+49 (30) 1234-5678 4111 1111 1111 1111 a@b.co 10.0.0.1 '.repeat(900))
  const outcome = await long.runStep('scrub', dearest)
  assert.deepEqual([outcome.kind, 'fault' in outcome && outcome.fault], ['dead', 'too_costly'])
})
