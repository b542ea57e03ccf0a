import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelledOf, ticksOf } from './ticks.ts'

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

test('labels below an axis have their room each, from the first place on, and stay within the width', () => {
  for (const width of [320, 500, 777, 1000, 1600]) {
    for (const count of [1, 2, 7, 12, 31, 90, 365, 2000]) {
      const places = Array.from({ length: count }, (_, n) => 56 + (n * (width - 62)) / Math.max(1, count - 1))
      const at = labelledOf(places, { width, room: 112 }).map(index => places[index] ?? 0)
      assert.equal(at[0], 56)
      for (const [index, place] of at.entries()) {
        assert.ok(place + 56 <= width, `${count} in ${width}: ${place}`)
        assert.ok(index === 0 || place - (at[index - 1] ?? 0) >= 112, `${count} in ${width}: ${at}`)
      }
    }
  }
})
