import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertGrowth } from './measure.testing.ts'

const LIMIT = 4000
/** A cost in milliseconds by the size, and by how often that size was measured before. */
type Cost = (size: number, times: number) => number

const measured = (cost: Cost): Promise<void> => {
  const times = new Map<number, number>()
  return assertGrowth('Work', LIMIT, async size => {
    const before = times.get(size) ?? 0
    times.set(size, before + 1)
    return cost(size, before)
  })
}

const ALLOWED: Readonly<Record<string, Cost>> = {
  'by the size': size => size,
  'by the size and its logarithm': size => size * Math.log2(size),
  'by the square, where it is cheap': size => (size / LIMIT) ** 2 * 79,
  'by the size, with a pause of the machine in the large one': (size, times) => size + (times === 0 ? 10_000 : 0),
  'by the size, with pauses in all that are measured first': (size, times) =>
    size * (times < 2 ? 1 + (size % 3) * 5 : 1),
}

const REFUSED: Readonly<Record<string, Cost>> = {
  'by the square': size => size * size,
  'by the size times its root': size => size ** 1.6,
  'faster behind the half of the limit alone': size => (size > LIMIT / 2 ? 1650 : size / 4),
  'by the square up to the half of the limit alone': size =>
    (size > LIMIT / 2 ? 1.6 : 1) * Math.min(size, LIMIT / 2) ** 2,
}

describe('Growth at n, 2n and 4n', () => {
  for (const [what, cost] of Object.entries(ALLOWED)) it(`${what} is allowed`, () => measured(cost))
  for (const [what, cost] of Object.entries(REFUSED))
    it(`${what} is refused`, () => assert.rejects(measured(cost), /at n, 2n and 4n: /))
})
