import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId } from '../../schemas/domain/ids.ts'
import { createShares } from './byte-budget.ts'

test('The bodies of one tenant leave room for those of others, and what is given back can be taken again.', () => {
  const memoryOf = createShares<TenantId>(1000, 100)
  const [hostile, good] = [newId<TenantId>(), newId<TenantId>()]
  let taken = 0
  while (memoryOf(hostile).take(50)) taken += 50
  assert.equal(taken, 250)
  assert.ok(memoryOf(good).take(100))
  memoryOf(hostile).give(50)
  assert.ok(memoryOf(hostile).take(50))
  assert.ok(!memoryOf(hostile).take(1))
})

test('The largest body that there is has room, however little there is for all.', () => {
  const memory = createShares(100, 90)(newId<TenantId>())
  assert.ok(memory.take(90))
  assert.ok(!memory.take(11))
})
