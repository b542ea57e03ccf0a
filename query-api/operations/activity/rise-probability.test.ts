import assert from 'node:assert/strict'
import { test } from 'node:test'
import { riseProbability, significantCount } from './trending.ts'

/** The binomial tail summed term by term, exactly, with integers: p = 1 / (1 + exposure). */
const exactly = (recent: number, past: number, exposure: number): number => {
  const all = recent + past
  let [ways, sum] = [1n, 0n]
  for (let k = 0; k <= all; k += 1) {
    if (k >= recent) sum += ways * BigInt(exposure) ** BigInt(all - k)
    ways = (ways * BigInt(all - k)) / BigInt(k + 1)
  }
  const scale = 10n ** 400n
  return Number(
    ((sum * scale) / BigInt(exposure + 1) ** BigInt(all))
      .toString()
      .padStart(401, '0')
      .replace(/^(.*)(.{400})$/, '$1.$2'),
  )
}

test('the chance of a rise is the binomial tail', () => {
  for (const [recent, past, exposure] of [
    [1, 0, 4],
    [3, 0, 4],
    [5, 7, 4],
    [40, 60, 4],
    [9, 1, 1],
    [400, 900, 3],
    [90, 33, 4],
  ] as const) {
    const [chance, exact] = [riseProbability(recent, past, exposure), exactly(recent, past, exposure)]
    assert.ok(Math.abs(chance - exact) <= exact * 1e-9, `${recent} after ${past}: ${chance} instead of ${exact}`)
  }
})

test('no more than before is no rise, and much more than chance has no chance', () => {
  assert.equal(riseProbability(10, 40, 4), 1)
  assert.equal(riseProbability(0, 9, 4), 1)
  assert.ok(riseProbability(1_000_000, 100, 4) < 1e-300)
})

test('of many that were tested, only so many count that at most the given share is chance', () => {
  const cases: readonly [readonly number[], number, number][] = [
    [[], 0, 0],
    [[0.04], 1, 1],
    [[0.04], 2, 0],
    // One by one each would do; the third is not beyond what three among a hundred give.
    [[0.0001, 0.0009, 0.04], 100, 2],
    // The first alone is above its own bound, both together are below theirs.
    [[0.03, 0.04], 2, 2],
  ]
  for (const [chances, tested, found] of cases)
    assert.equal(significantCount(chances, tested, 0.05), found, String(chances))
})
