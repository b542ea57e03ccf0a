import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWindowCounts } from './window-counts.ts'

test('A window begins with the first that is counted, and ends by itself.', () => {
  let now = 1_000_000
  const counts = createWindowCounts(60, () => now)
  assert.deepEqual(counts.count('a'), { times: 1, seconds: 60 })
  now += 30_000
  assert.deepEqual(counts.count('a'), { times: 2, seconds: 30 })
  assert.deepEqual(counts.count('b'), { times: 1, seconds: 60 })
  now += 29_999.5
  assert.deepEqual(counts.read('a'), { times: 2, seconds: 1 })
  now += 0.5
  assert.equal(counts.read('a'), null)
  assert.deepEqual(counts.read('b'), { times: 1, seconds: 30 })
  assert.deepEqual(counts.count('a'), { times: 1, seconds: 60 })
  assert.equal(counts.isEmpty(), false)
  now += 60_000
  assert.equal(counts.isEmpty(), true)
})

test('To read a key counts nothing, and makes no window.', () => {
  const counts = createWindowCounts(1, () => 0)
  for (let time = 0; time < 3; time += 1) assert.equal(counts.read('a'), null)
  assert.equal(counts.isEmpty(), true)
  assert.equal(counts.count('a').times, 1)
})

test('So many may be counted at once.', () => {
  const counts = createWindowCounts(60, () => 0)
  assert.equal(counts.count('a', 5).times, 5)
  assert.equal(counts.count('a', 2).times, 7)
  assert.deepEqual(counts.read('a'), { times: 7, seconds: 60 })
})

test('Counts go on with the windows of a program before, none longer than a window of their own.', () => {
  let now = 5_000_000
  const before = createWindowCounts(60, () => now)
  before.count('a', 3)
  now += 20_000
  before.count('b')
  const windows = before.windows()
  assert.deepEqual(windows, [
    { key: 'a', times: 3, left: 40_000 },
    { key: 'b', times: 1, left: 60_000 },
  ])
  let later = 7
  const counts = createWindowCounts(60, () => later)
  counts.resume([...windows.toReversed(), { key: 'c', times: 9, left: 90_000 }, { key: 'd', times: 9, left: 0 }])
  assert.deepEqual(counts.count('a'), { times: 4, seconds: 40 })
  assert.deepEqual(counts.read('c'), { times: 9, seconds: 60 })
  assert.equal(counts.read('d'), null)
  later += 40_000
  assert.equal(counts.read('a'), null)
  assert.deepEqual(counts.read('b'), { times: 1, seconds: 20 })
})
