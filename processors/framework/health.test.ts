import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GroupPartition } from '../../infra/log/port.ts'
import { assertWorking, createHealth, type HealthOptions } from './health.ts'
import { createBreaker } from './wait-for-dependency.ts'

const place = (committed: number, highWatermark: number): GroupPartition => ({
  group: 'assay.validate',
  topic: 'signals.validate',
  partition: 0,
  committed,
  highWatermark,
  oldestUncommittedAt: committed < highWatermark ? 12_000 : null,
})

const watch = (delays = false) => {
  let places: readonly GroupPartition[] = []
  let clock = 0
  let left: string | null = null
  const log: HealthOptions['log'] = { lag: async () => places, left: () => left }
  const breaker = createBreaker({ firstMs: 1000, maxMs: 1000, now: () => clock })
  let paused = false
  const groups = [{ group: 'assay.validate', breaker, delays, isPaused: () => paused }]
  const health = createHealth({ log, groups, stuckAfterMs: 60_000, now: () => clock })
  return {
    breaker,
    pause: (isPaused: boolean) => {
      paused = isPaused
    },
    leave: (reason: string | null) => {
      left = reason
    },
    at: async (time: number, now: readonly GroupPartition[]) => {
      clock = time
      places = now
      const [group] = await health()
      return group
    },
  }
}

test('a group whose place moves is working, however far behind it is', async () => {
  const { at } = watch()
  assert.equal((await at(0, [place(0, 500)]))?.state, 'working')
  const later = await at(90_000, [place(1, 900), place(0, 100)])
  assert.deepEqual(later, {
    group: 'assay.validate',
    state: 'working',
    lag: 999,
    oldestUncommittedAt: 12_000,
    reason: '',
  })
})

test('a group that was left to others waits for what it was left for', async () => {
  const { at, leave } = watch()
  leave('The schema registry cannot be reached.')
  const group = await at(0, [place(5, 9)])
  assert.deepEqual([group?.state, group?.reason], ['waiting', 'The schema registry cannot be reached.'])
  leave(null)
  assert.equal((await at(1, [place(5, 9)]))?.state, 'working')
})

test('a group with lag that does not move is stuck', async () => {
  const { at } = watch()
  await at(0, [place(5, 9)])
  assert.equal((await at(59_999, [place(5, 20)]))?.state, 'working')
  assert.equal((await at(60_000, [place(5, 20)]))?.state, 'stuck')
  assert.equal((await at(61_000, [place(6, 20)]))?.state, 'working')
})

test('time without lag does not count', async () => {
  const { at } = watch()
  await at(0, [place(5, 5)])
  assert.equal((await at(500_000, [place(5, 6)]))?.state, 'working')
})

test('a group that waits for a dependency says so, and is not stuck', async () => {
  const { at, breaker } = watch()
  await at(0, [place(5, 9)])
  breaker.fail('The database is unavailable.')
  breaker.addWaiting(new AbortController().signal)
  const waiting = await at(90_000, [place(5, 9)])
  assert.deepEqual([waiting?.state, waiting?.reason], ['waiting', 'The database is unavailable.'])
})

test('a group that people hold still is paused, for as long as it takes, and has its time when it goes on', async () => {
  const { at, pause } = watch()
  await at(0, [place(5, 9)])
  pause(true)
  const paused = await at(600_000, [place(5, 9)])
  assert.deepEqual([paused?.state, paused?.lag], ['paused', 4])
  assert.doesNotThrow(() => assertWorking(paused === undefined ? [] : [paused]))
  pause(false)
  assert.equal((await at(600_001, [place(5, 9)]))?.state, 'working')
  assert.equal((await at(660_001, [place(5, 9)]))?.state, 'stuck')
})

test('records wait in a delay queue on purpose', async () => {
  const { at } = watch(true)
  await at(0, [place(5, 9)])
  assert.equal((await at(600_000, [place(5, 9)]))?.state, 'working')
})

test('calls while it looks share one look, and a log that says nothing is asked anew', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asked: PromiseWithResolvers<GroupPartition[]>[] = []
  const lag = () => {
    const asking = Promise.withResolvers<GroupPartition[]>()
    asked.push(asking)
    return asking.promise
  }
  const breaker = createBreaker({ firstMs: 1000, maxMs: 1000, now: () => 0 })
  const groups = [{ group: 'assay.validate', breaker, delays: false }]
  const health = createHealth({ log: { lag, left: () => null }, groups, stuckAfterMs: 60_000, now: () => 0 })
  const [first, second] = [health(), health()]
  asked[0]?.resolve([place(5, 9)])
  assert.deepEqual(await first, await second)
  assert.equal(asked.length, 1)
  const silent = assert.rejects(health(), { code: 'timeout' })
  t.mock.timers.tick(30_000)
  await silent
  const answered = health()
  asked[2]?.resolve([place(9, 9)])
  assert.equal((await answered)[0]?.lag, 0)
})
