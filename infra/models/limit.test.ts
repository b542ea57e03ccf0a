import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLimit } from './limit.ts'

test('no more than so many run at once, in the order in which they came, and one that fails gives its place back', async () => {
  const limit = createLimit(2)
  const started: number[] = []
  let running = 0
  let most = 0
  const work = (index: number) => async () => {
    started.push(index)
    running += 1
    most = Math.max(most, running)
    await new Promise(resolve => setImmediate(resolve))
    running -= 1
    if (index === 1) throw new Error('one')
    return index
  }
  const settled = await Promise.allSettled([0, 1, 2, 3, 4].map(index => limit(work(index))))
  assert.equal(most, 2)
  assert.deepEqual(started, [0, 1, 2, 3, 4])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})
