import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeWindows } from './fingerprint.ts'

const hours = (...events: readonly (readonly [hour: number, events: number])[]) =>
  events.map(([hour, count]) => ({ hour: hour * 3600, events: count }))

const spans = (...given: Parameters<typeof mergeWindows>) =>
  mergeWindows(...given).map(({ from, to }) => [from.getTime() / 3_600_000, to.getTime() / 3_600_000])

test('hours are gathered while their events fit, across hours without any', () => {
  assert.deepEqual(spans(hours([1, 40], [2, 40], [9, 20], [10, 1], [11, 99]), 100), [
    [1, 10],
    [10, 12],
  ])
})

test('an hour with more than fits is a window by itself, and nothing has none', () => {
  assert.deepEqual(spans(hours([1, 1], [2, 500], [3, 1]), 100), [
    [1, 2],
    [2, 3],
    [3, 4],
  ])
  assert.deepEqual(spans([], 100), [])
})
