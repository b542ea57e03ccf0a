import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsOf } from './hours.ts'

const came = (hour: string, accepted: number, refused: number) => ({ hour, accepted, refused, refusals: [] })
const label = (at: Date) => at.toISOString().slice(8, 16)

test('hours in which nothing came have a bar, and both ends are there', () => {
  const range = { from: '2026-05-01T10:30:00Z', to: '2026-05-01T13:10:00Z', hours: 1 }
  assert.deepEqual(barsOf([came('2026-05-01T12:00:00Z', 3, 1)], range, label), [
    { at: '01T10:00', accepted: 0, refused: 0 },
    { at: '01T11:00', accepted: 0, refused: 0 },
    { at: '01T12:00', accepted: 3, refused: 1 },
    { at: '01T13:00', accepted: 0, refused: 0 },
  ])
})

test('a bar of several hours sums them, and nothing is lost', () => {
  const range = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z', hours: 12 }
  const items = [
    came('2026-05-01T00:00:00Z', 1, 0),
    came('2026-05-01T11:00:00Z', 2, 5),
    came('2026-05-01T12:00:00Z', 4, 0),
  ]
  const bars = barsOf(items, range, label)
  assert.deepEqual(
    bars.map(({ accepted, refused }) => [accepted, refused]),
    [
      [3, 5],
      [4, 0],
      [0, 0],
    ],
  )
})

test('what is outside of the time asked for is left out', () => {
  const range = { from: '2026-05-01T00:00:00Z', to: '2026-05-01T01:00:00Z', hours: 1 }
  const bars = barsOf([came('2026-04-30T23:00:00Z', 9, 9), came('2026-05-01T05:00:00Z', 9, 9)], range, label)
  assert.ok(bars.every(({ accepted, refused }) => accepted + refused === 0))
})
