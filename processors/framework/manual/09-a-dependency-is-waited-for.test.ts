import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { next } from '../step.ts'
import { testObserver, testPipeline, testSignal, testStep } from '../testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../testing-log.ts'
import { createBreaker } from '../wait-for-dependency.ts'

// When a dependency is away as a whole (the code `unavailable`), no signal is at fault and none should use up its
// attempts. The segment's breaker opens: its partitions stand still, with nothing committed, and the same batch is
// tried again after a pause that doubles. It goes on by itself when the dependency is back.

test('signals wait for a dependency without losing an attempt', async t => {
  let isUnavailable = true
  let tries = 0
  const pipeline = testPipeline(
    [
      testStep('validate', async batch => {
        tries += 1
        if (isUnavailable) throw new AssayError('unavailable', 'The database is unavailable.')
        return batch.map(() => next({}))
      }),
      testStep('embed', async batch => batch.map(() => next({}))),
    ],
    ['validate', 'embed'],
  )
  const log = await startTestLog(t, pipeline)
  const done = await watchTopic(log, 'signals.embed')
  const retried = await watchTopic(log, 'retry.10s')
  const observer = testObserver()
  const breaker = createBreaker({ firstMs: 10, maxMs: 50 })

  await appendSignals(log, 'validate', [testSignal('one'), testSignal('two')])
  await hostForTest(log, pipeline, 'validate', { breaker, observer })
  await eventually('the segment has tried several times', () => tries >= 4)

  assert.equal(breaker.open()?.reason, 'The database is unavailable.')
  assert.equal((await log.lag('assay.validate'))[0]?.committed, 0)
  assert.deepEqual([done.length, retried.length], [0, 0])

  isUnavailable = false
  await eventually('both signals went on', () => done.length === 2)
  await eventually('the breaker has closed', () => breaker.open() === null)
  assert.equal(retried.length, 0)
  // Said once, not at each try.
  assert.deepEqual(
    observer.notes.map(note => note.message),
    ['Waiting for a dependency', 'No longer waiting for a dependency'],
  )
})

test('pauses double up to the longest; partitions that fail at once count once', () => {
  let clock = 0
  const breaker = createBreaker({ firstMs: 100, maxMs: 350, now: () => clock })
  const pauses: number[] = []
  for (let round = 0; round < 4; round += 1) {
    pauses.push(breaker.fail('away'))
    assert.equal(breaker.fail('away'), pauses.at(-1), 'a second partition waits just as long')
    clock += pauses.at(-1) ?? 0
    assert.equal(breaker.waitMs(), 0)
  }
  assert.deepEqual(pauses, [100, 200, 350, 350])

  breaker.succeed()
  assert.equal(breaker.open(), null)
  assert.equal(breaker.fail('away again'), 100)
})
