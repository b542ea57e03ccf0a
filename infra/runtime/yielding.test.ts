import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hurry, inBackground, inForeground, isInBackground, yieldToEventLoop } from './yielding.ts'

test('background work waits while foreground work is under way, and goes on behind it', async () => {
  const order: string[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const front = inForeground(async () => {
    await held
    order.push('foreground')
  })
  const behind = inBackground(async () => {
    await yieldToEventLoop()
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
  for (let turns = 0; turns < 2; turns += 1) await inBackground(yieldToEventLoop)
  release()
  await front
})

test('foreground work that fails holds nothing up', async () => {
  await assert.rejects(
    inForeground(async () => {
      throw new Error('It fails.')
    }),
  )
  await inBackground(yieldToEventLoop)
})

test('background work that holds what others wait for gives way no more', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const behind = inBackground(() =>
    hurry(async () => {
      const front = inForeground(() => held)
      assert.equal(isInBackground(), false)
      await yieldToEventLoop()
      release()
      await front
    }),
  )
  await behind
  assert.equal(await inBackground(async () => isInBackground()), true)
})
