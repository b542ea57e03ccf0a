import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveTurn, inBackground, inForeground, inTurn } from './turns.ts'

test('background work waits while foreground work is under way, and goes on behind it', async () => {
  const order: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const front = inForeground(async () => {
    await held
    order.push('foreground')
  })
  const behind = inBackground(async () => {
    await giveTurn()
    order.push('background')
  })
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(order, [])
  release()
  await Promise.all([front, behind])
  assert.deepEqual(order, ['foreground', 'background'])
})

test('background work is the last, not nobody: foreground work without an end does not stop it', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const front = inForeground(() => held)
  for (let turns = 0; turns < 2; turns += 1) await inBackground(giveTurn)
  release()
  await front
})

test('foreground work that fails holds nothing up', async () => {
  await assert.rejects(
    inForeground(async () => {
      throw new Error('It fails.')
    }),
  )
  await inBackground(giveTurn)
})

test('in the background a store is asked for one thing at a time beside foreground work, which asks at once', async () => {
  let asking = 0
  let most = 0
  const ask = async () => {
    asking += 1
    most = Math.max(most, asking)
    await new Promise(resolve => setImmediate(resolve))
    asking -= 1
    // What holds the store may ask again without waiting for itself.
    await inTurn(async () => {})
  }
  await inForeground(async () => {})
  const behind = Array.from({ length: 3 }, () => inBackground(() => inTurn(ask)))
  const failing = inBackground(() => inTurn(() => Promise.reject(new Error('It fails.'))))
  let answered = false
  await inForeground(() =>
    inTurn(async () => {
      answered = true
    }),
  )
  assert.ok(answered)
  await Promise.all(behind)
  await assert.rejects(failing)
  assert.equal(most, 1)
})
