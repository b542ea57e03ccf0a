import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreaker } from './breaker.ts'

const create = () => {
  let clock = 0
  const breaker = createBreaker({ firstMs: 100, maxMs: 1000, now: () => clock })
  return { breaker, advance: (ms: number) => (clock += ms) }
}

test('the pause that a dependency asks for counts when it is the longer one', () => {
  const { breaker, advance } = create()
  assert.equal(breaker.fail('busy', 20), 100)
  advance(100)
  assert.equal(breaker.fail('busy', 5000), 5000)
})

test('a pause that is asked for while it is quiet already makes it longer, never shorter', () => {
  const { breaker } = create()
  breaker.fail('busy', 3000)
  assert.equal(breaker.fail('busy', 2000), 3000)
  assert.equal(breaker.fail('busy', 4000), 4000)
})

test('success of another partition does not cut short what was asked for', () => {
  const { breaker, advance } = create()
  breaker.fail('busy', 3000)
  breaker.succeed()
  assert.equal(breaker.waitMs(), 3000)
  advance(3000)
  breaker.succeed()
  assert.deepEqual([breaker.waitMs(), breaker.open()], [0, null])
})

test('nobody can ask for more than a quarter of an hour', () => {
  const { breaker } = create()
  assert.equal(breaker.fail('busy', 86_400_000), 900_000)
})
