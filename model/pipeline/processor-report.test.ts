import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { added, observe, quantile } from './processor-report.ts'

const of = (durations: readonly number[]) => {
  const histogram: Record<string, number> = {}
  for (const duration of durations) observe(histogram, duration)
  return histogram
}

const near = (found: number | null, expected: number) =>
  assert.ok(found !== null && Math.abs(found / expected - 1) <= 0.07, `${found} is not within 7 % of ${expected}`)

describe('a histogram of durations', () => {
  it('answers quantiles to within 7 %, from hundredths of a millisecond to minutes', () => {
    for (const scale of [0.02, 1, 100, 60_000]) {
      const histogram = of(Array.from({ length: 100 }, (_, index) => (index + 1) * scale))
      near(quantile(histogram, 0.5), 50 * scale)
      near(quantile(histogram, 0.95), 95 * scale)
    }
  })

  it('is added to those of other processes without losing that', () => {
    const slow = of(Array.from({ length: 90 }, () => 1000))
    const fast = of(Array.from({ length: 10 }, () => 1))
    near(quantile(added([slow, fast]), 0.05), 1)
    near(quantile(added([slow, fast]), 0.5), 1000)
  })

  it('counts a batch’s equal shares at once', () => {
    const histogram: Record<string, number> = {}
    observe(histogram, 8, 500)
    assert.deepEqual(Object.values(histogram), [500])
    near(quantile(histogram, 0.95), 8)
  })

  it('answers null for nothing, and takes 0 for its shortest', () => {
    assert.equal(quantile({}, 0.5), null)
    near(quantile(of([0]), 0.5), 0.01)
  })
})
