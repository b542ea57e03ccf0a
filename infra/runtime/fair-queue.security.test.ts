import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId } from '../../schemas/domain/ids.ts'
import { isAssayError } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

test('a tenant has a few calls under way, and another’s run at once beside them', async () => {
  const turn = createFairQueue({ each: 3, waiting: 10 })
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
  const turn = createFairQueue({ each: 1, waiting: 10 })
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
  const turn = createFairQueue({ each: 1, waiting: 2 })
  const tenant = newId<TenantId>()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const calls = Array.from({ length: 3 }, () => turn(tenant, () => held))
  await assert.rejects(
    turn(tenant, async () => {}),
    error => isAssayError(error) && error.code === 'rate_limited' && /2 calls wait/.test(error.message),
  )
  release()
  await Promise.all(calls)
  await turn(tenant, async () => {})
})

test('of few places for all a tenant has one, and the tenants take turns', async () => {
  const turn = createFairQueue<string>({ each: 1, total: 2, waiting: 10 })
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const began: string[] = []
  const ask = (holder: string, name: string) =>
    turn(holder, () => {
      began.push(name)
      const gate = Promise.withResolvers<void>()
      gates.set(name, gate)
      return gate.promise
    })
  const asked = [
    ...['a', 'b', 'c'].map(name => ask('hostile', name)),
    ask('good', 'good'),
    ask('third', 'third'),
    ask('good', 'good again'),
  ]
  const end = async (name: string) => {
    gates.get(name)?.resolve()
    await new Promise(setImmediate)
  }
  assert.deepEqual(began, ['a', 'good'])
  await end('good')
  assert.deepEqual(began, ['a', 'good', 'third'])
  await end('a')
  assert.deepEqual(began, ['a', 'good', 'third', 'good again'])
  for (const name of ['third', 'good again', 'b', 'c']) await end(name)
  await Promise.all(asked)
  assert.deepEqual(began.toSorted(), ['a', 'b', 'c', 'good', 'good again', 'third'])
})
