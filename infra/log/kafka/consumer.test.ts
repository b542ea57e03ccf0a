import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Admin } from 'kafkajs'
import type { AssayError } from '../../runtime/errors.ts'
import { eventually } from '../../runtime/testing.ts'
import { createWatchdog } from './consumer.ts'
import type { FetchBuffer } from './fetch-buffer.ts'

const STALL_MS = 10

/** Watches one partition, whose newest record is at offset 9, until the test ends; and what was found. */
const watch = (t: TestContext, awaited: () => number | null, aliveAt = () => Date.now()) => {
  const stalls: AssayError[] = []
  let looks = 0
  // The watchdog uses only these parts of a feed and of kafkajs's admin.
  const feed = { topic: 'things', partition: 0, awaited } as unknown as FetchBuffer
  const admin = {
    fetchTopicOffsets: async () => {
      looks += 1
      return [{ partition: 0, high: '10' }]
    },
  } as unknown as Admin
  const session = { aliveAt, feeds: () => [feed] }
  const watchdog = createWatchdog({
    session,
    admin: async () => admin,
    stallMs: STALL_MS,
    onStall: error => stalls.push(error),
  })
  t.after(watchdog.stop)
  return { stalls, looks: () => looks }
}

test('A partition that is waited for while it has records is stalled.', async t => {
  const { stalls } = watch(t, () => 4)
  await eventually('it is noticed', () => stalls.length > 0)
  assert.match(stalls[0]?.message ?? '', /things\/0 is not fetched at offset 4/)
  assert.equal(stalls[0]?.code, 'unavailable')
})

test('A consumer that shows no sign of life is stalled.', async t => {
  const { stalls } = watch(
    t,
    () => null,
    () => 0,
  )
  await eventually('it is noticed', () => stalls.length > 0)
  assert.match(stalls[0]?.message ?? '', /no sign of life/)
})

test('A partition that moves, and one that has nothing new, are not stalled.', async t => {
  let offset = 0
  const moving = watch(t, () => offset++)
  const idle = watch(t, () => 10)
  await eventually('both were looked at often', () => Math.min(moving.looks(), idle.looks()) > 4)
  assert.deepEqual([...moving.stalls, ...idle.stalls], [])
})

test('A partition whose handler is busy is not even asked about.', async t => {
  const busy = watch(t, () => null)
  await sleep(STALL_MS * 4)
  assert.deepEqual([busy.stalls.length, busy.looks()], [0, 0])
})
