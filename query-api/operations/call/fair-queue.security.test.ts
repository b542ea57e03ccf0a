import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId } from '../../../schemas/domain/ids.ts'
import { failsWith } from '../testing.ts'
import { createFairQueue } from './call-limits.ts'

test('a tenant has a few calls under way, and another’s run at once beside them', async () => {
  const turn = createFairQueue(3, 10)
  const [hostile, good] = [newId<TenantId>(), newId<TenantId>()]
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const dear = async () => {
    running += 1
    most = Math.max(most, running)
    await held
    running -= 1
  }
  const calls = Array.from({ length: 10 }, () => turn(hostile, dear))
  assert.equal(await turn(good, async () => 'answered'), 'answered')
  release()
  await Promise.all(calls)
  assert.equal(most, 3)
})

test('calls run in their order, and one that fails lets the next one in', async () => {
  const turn = createFairQueue(1, 10)
  const tenant = newId<TenantId>()
  const ran: number[] = []
  const calls = Array.from({ length: 5 }, (_, number) =>
    turn(tenant, async () => {
      ran.push(number)
      if (number % 2 === 0) throw new Error('It fails.')
    }),
  )
  const ended = await Promise.allSettled(calls)
  assert.deepEqual(ran, [0, 1, 2, 3, 4])
  assert.equal(ended.filter(({ status }) => status === 'rejected').length, 3)
})

test('no tenant’s line grows without end, and a line that is worked off takes more', async () => {
  const turn = createFairQueue(1, 2)
  const tenant = newId<TenantId>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const calls = Array.from({ length: 3 }, () => turn(tenant, () => held))
  await assert.rejects(
    turn(tenant, async () => {}),
    failsWith('rate_limited', /2 calls of this tenant wait/),
  )
  release()
  await Promise.all(calls)
  await turn(tenant, async () => {})
})
