import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenBuckets, MAX_KEYS } from './token-buckets.ts'

const startBuckets = () => {
  const clock = { ms: 0 }
  return { clock, buckets: createTokenBuckets<string>({ perSecond: 1, burst: 100, now: () => clock.ms }) }
}

const takeByOthers = (buckets: ReturnType<typeof startBuckets>['buckets'], name: string, tokens: number) => {
  for (let other = 0; other < 2 * MAX_KEYS; other += 1) buckets.take(`${name} ${other}`, tokens)
}

test('a bucket fills up again, never above its brim, and a clock that is set back gives nothing', () => {
  const { clock, buckets } = startBuckets()
  buckets.take('one', 130)
  assert.deepEqual([buckets.left('one'), buckets.left('other')], [-30, 100])
  clock.ms = 40_000
  assert.equal(buckets.left('one'), 10)
  buckets.take('one', 5)
  clock.ms = 20_000
  assert.equal(buckets.left('one'), 5)
  clock.ms = 900_000
  assert.equal(buckets.left('one'), 100)
})

test('a key that owes goes on owing, however many other keys take a little', () => {
  const { buckets } = startBuckets()
  buckets.take('spent', 130)
  takeByOthers(buckets, 'little', 1)
  assert.equal(buckets.left('spent'), -30)
})

test('a key that goes on taking goes on owing beside many that owe as much', () => {
  const { buckets } = startBuckets()
  for (let other = 0; other < 2 * MAX_KEYS; other += 1) {
    if (other % 1000 === 0) buckets.take('spent', 130)
    buckets.take(`large ${other}`, 130)
  }
  assert.ok(buckets.left('spent') <= -30 * 20, String(buckets.left('spent')))
})

test('a look at a key that took nothing keeps no room from those that did', () => {
  const { buckets } = startBuckets()
  buckets.take('spent', 50)
  for (let other = 0; other < 2 * MAX_KEYS; other += 1) buckets.left(`looked at ${other}`)
  assert.equal(buckets.left('spent'), 50)
})

test('keys whose buckets are full again are forgotten first', () => {
  const { clock, buckets } = startBuckets()
  takeByOthers(buckets, 'past', 1)
  clock.ms = 5000
  buckets.take('spent', 130)
  takeByOthers(buckets, 'little', 1)
  assert.equal(buckets.left('spent'), -30)
})
