import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../infra/runtime/testing.ts'
import { next } from '../step.ts'
import { testPipeline, testSignal, testStep } from '../testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../testing-log.ts'

// A person may pause a step. The whole segment stands still then, in both lanes, since its steps hand batches over in
// memory, where nothing can wait. What comes waits on the log with nothing tried and nothing committed, and goes on
// when the step is resumed.

test('what comes while a segment is held still waits on the log, in both lanes', async t => {
  let isPaused = true
  const tried: string[] = []
  const pipeline = testPipeline(
    [
      testStep('validate', async batch => {
        tried.push(...batch.map(({ signal_id }) => signal_id))
        return batch.map(() => next({}))
      }),
      testStep('embed', async batch => batch.map(() => next({}))),
    ],
    ['validate', 'embed'],
  )
  const log = await startTestLog(t, pipeline)
  const live = await watchTopic(log, 'signals.embed')
  const bulk = await watchTopic(log, 'signals.embed.bulk')
  let looks = 0
  const held = {
    isPaused: () => {
      looks += 1
      return isPaused
    },
  }
  await appendSignals(log, 'validate', [testSignal('one'), testSignal('two')])
  await appendSignals(log, 'validate', [testSignal('three')], 'bulk')
  await hostForTest(log, pipeline, 'validate', held)
  await hostForTest(log, pipeline, 'validate', { ...held, lane: 'bulk' })
  await eventually('both lanes have looked', () => looks >= 2)
  // More comes while it stands still.
  await appendSignals(log, 'validate', [testSignal('four')])
  await sleep(50)

  assert.deepEqual([tried, live.length, bulk.length], [[], 0, 0])
  assert.equal((await log.lag('assay.validate'))[0]?.committed, 0)
  assert.equal((await log.lag('assay.validate.bulk'))[0]?.committed, 0)

  isPaused = false
  await eventually('all went on', () => live.length === 3 && bulk.length === 1)
  assert.equal(new Set(tried).size, 4, 'each was tried once')
  assert.equal(tried.length, 4)
})
