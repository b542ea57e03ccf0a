import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { newId, type TenantId } from '../../../schemas/domain/ids.ts'
import { createLaneScheduler } from '../lane-scheduler.ts'
import { next } from '../step.ts'
import { testPipeline, testSignal, testStep } from '../testing.ts'
import { appendSignals, hostForTest, startTestLog, watchTopic } from '../testing-log.ts'

// Every head has two topics: `live` for what senders send now, `bulk` for imports and replays. The steps are the same.
// Bulk runs while live is idle; while others have live work it gets one small batch now and then, so that neither lane
// holds up the other for long.

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

const [good, flooding] = [newId<TenantId>(), newId<TenantId>()]

test('bulk runs freely while live is idle, and for a part of the time while it is not', () => {
  let clock = 10_000
  const share = createLaneScheduler({ idleAfterMs: 1000, bulkPart: 0.25, now: () => clock })
  share.begins('bulk', new Set([flooding]))
  share.bulkRan(100)
  assert.equal(share.bulkWaitMs(), 0, 'live never ran')

  share.begins('live', new Set([good]))
  assert.equal(share.bulkWaitMs(), 300, 'three times what the batch took belongs to live')
  clock += 300
  assert.equal(share.bulkWaitMs(), 0, 'a turn, although live is busy')
  share.bulkRan(60_000)
  for (let second = 1; second < 3; second += 1) {
    share.begins('live', new Set([good]))
    assert.ok(share.bulkWaitMs() > 0)
    clock += 1000
  }
  share.begins('live', new Set([good]))
  assert.equal(share.bulkWaitMs(), 0, 'it never waits for longer than 2 s')
  share.bulkRan(60_000)
  clock += 1000
  assert.equal(share.bulkWaitMs(), 0, 'live is idle again')
})

// What a tenant sends beyond its share of the live lane is bulk. Alone on the machine, it would wait for nobody.
test('bulk of a tenant waits for the live work of others, and not for its own', () => {
  let clock = 10_000
  const share = createLaneScheduler({ idleAfterMs: 1000, bulkPart: 0.25, now: () => clock })
  const beginsWith = (...batches: readonly (readonly ['live' | 'bulk', ...TenantId[]])[]) => {
    clock += 5000
    for (const [lane, ...tenants] of batches) share.begins(lane, new Set(tenants))
    share.bulkRan(100)
    return [share.liveWork(), share.bulkWaitMs()]
  }
  const [own, others] = [
    ['own', 0],
    ['of others', 300],
  ]
  assert.deepEqual(beginsWith(['bulk', flooding]), ['none', 0])
  assert.deepEqual(beginsWith(['live', flooding], ['bulk', flooding]), own)
  assert.deepEqual(beginsWith(['live', good, flooding], ['bulk', flooding]), others)
  assert.deepEqual(beginsWith(['live', flooding, good], ['bulk', flooding]), others)
  assert.deepEqual(beginsWith(['live', good], ['live', flooding], ['live', flooding], ['bulk', flooding]), others)
  assert.deepEqual(beginsWith(['live', flooding], ['bulk', flooding, good]), others, 'bulk is of several')
  assert.deepEqual(beginsWith(['live', flooding], ['bulk']), others, 'whose bulk it is cannot be read')
  assert.deepEqual(beginsWith(['live', flooding], ['bulk', flooding]), own)
})

test('a segment hears whose signals its batches are of', async t => {
  const log = await startTestLog(t, pipeline)
  const share = createLaneScheduler({ idleAfterMs: 60_000, bulkPart: 1, now: Date.now })
  const signal = testSignal('flood')
  for (const lane of ['live', 'bulk'] as const) {
    await appendSignals(log, 'validate', [signal], lane)
    await hostForTest(log, pipeline, 'validate', { lane, share })
  }
  await eventually('its live work is its own', () => share.liveWork() === 'own')
  await appendSignals(log, 'validate', [{ ...testSignal('sent'), tenant_id: newId<TenantId>() }], 'live')
  await eventually('another has live work', () => share.liveWork() === 'of others')
})
