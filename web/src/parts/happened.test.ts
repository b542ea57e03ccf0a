import assert from 'node:assert/strict'
import { test } from 'node:test'
import { happenedOf } from './happened.ts'

const at = (text: string) => new Date(text)

test('what was imported happened when its sender says, and came in later', () => {
  const received = '2026-05-01T12:00:00.000Z'
  assert.deepEqual(happenedOf('2024-03-09T08:00:00Z', received), {
    happened: at('2024-03-09T08:00:00Z'),
    cameIn: at(received),
  })
})

test('what came in at once, or of which nobody knows when, has one time', () => {
  const happened = '2026-05-01T11:30:00.000Z'
  for (const received of ['2026-05-01T12:00:00.000Z', undefined])
    assert.deepEqual(happenedOf(happened, received), { happened: at(happened), cameIn: null })
})

test('nothing happens after it came in', () => {
  const received = '2026-05-01T12:00:00.000Z'
  assert.deepEqual(happenedOf('2030-01-01T00:00:00Z', received), { happened: at(received), cameIn: null })
})
