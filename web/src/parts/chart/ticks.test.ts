import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticksOf } from './ticks.ts'

test('the numbers at an axis are round, and hold every value', () => {
  assert.deepEqual(ticksOf(0, 4, { most: 4, whole: true }), [0, 1, 2, 3, 4])
  assert.deepEqual(ticksOf(0, 0, { most: 4, whole: true }), [0, 1])
  assert.deepEqual(ticksOf(0, 97, { most: 4 }), [0, 25, 50, 75, 100])
  assert.deepEqual(ticksOf(0.1, 0.35, { most: 4 }), [0.1, 0.2, 0.3, 0.4])
  for (const [least, greatest] of [
    [0, 1],
    [-3, 8],
    [1e6, 1.2e6],
    [0.001, 0.0019],
    [5, 5],
    [0, 12345],
  ] as const) {
    const ticks = ticksOf(least, greatest, { most: 4 })
    assert.ok((ticks[0] ?? 1) <= least && (ticks.at(-1) ?? 0) >= greatest, `${ticks}`)
    assert.ok(ticks.length >= 2 && ticks.length <= 7, `${ticks}`)
  }
})
