import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { createLaneScheduler } from '../pace.ts'
import { next } from '../step.ts'
import { testPipeline, testSignal, testStep } from '../testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../testing-log.ts'

// Every head has two topics: `live` for what senders send now, `bulk` for imports and replays. The steps are the same.
// Bulk runs while live is idle; while live is busy it gets one small batch now and then, so that neither lane holds up
// the other for long.

const pipeline = testPipeline(
  (['validate', 'embed'] as const).map(name => testStep(name, async batch => batch.map(() => next({})))),
  ['validate', 'embed'],
)

test('a signal stays in its lane', async t => {
  const log = await startTestLog(t, pipeline)
  const live = await watchTopic(log, 'signals.embed')
  const bulk = await watchTopic(log, 'signals.embed.bulk')
  const [sent, imported] = [testSignal('sent'), testSignal('imported')]
  await appendSignals(log, 'validate', [sent], 'live')
  await appendSignals(log, 'validate', [imported], 'bulk')

  await hostForTest(log, pipeline, 'validate', { lane: 'live' })
  await hostForTest(log, pipeline, 'validate', { lane: 'bulk' })
  await eventually('both signals went on', () => live.length === 1 && bulk.length === 1)

  assert.equal(live[0]?.key, sent.signal_id)
  assert.equal(bulk[0]?.key, imported.signal_id)
})

test('bulk runs freely while live is idle, and for a part of the time while it is not', () => {
  let clock = 10_000
  const share = createLaneScheduler({ idleAfterMs: 1000, bulkPart: 0.25, now: () => clock })
  share.bulkRan(100)
  assert.equal(share.bulkWaitMs(), 0, 'live never ran')

  share.liveRuns()
  assert.equal(share.bulkWaitMs(), 300, 'three times what the batch took belongs to live')
  clock += 300
  assert.equal(share.bulkWaitMs(), 0, 'a turn, although live is busy')
  share.bulkRan(60_000)
  for (let second = 1; second < 3; second += 1) {
    share.liveRuns()
    assert.ok(share.bulkWaitMs() > 0)
    clock += 1000
  }
  share.liveRuns()
  assert.equal(share.bulkWaitMs(), 0, 'it never waits for longer than 2 s')
  share.bulkRan(60_000)
  clock += 1000
  assert.equal(share.bulkWaitMs(), 0, 'live is idle again')
})
