import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId } from '../../schemas/domain/ids.ts'
import { createShares } from './shares.ts'

test('The bodies of one tenant leave room for those of others, and what is given back can be taken again.', () => {
  const memoryOf = createShares<TenantId>(1000, 100)
  const [hostile, good] = [newId<TenantId>(), newId<TenantId>()]
  let taken = 0
  while (memoryOf(hostile).take(50)) taken += 50
  assert.equal(taken, 200)
  assert.ok(memoryOf(good).take(100))
  memoryOf(good).give(100)
  memoryOf(hostile).give(50)
  assert.ok(memoryOf(hostile).take(50))
  assert.ok(!memoryOf(hostile).take(50))
})

test('The largest body that there is has room, however little there is for all.', () => {
  const memory = createShares(100, 90)(newId<TenantId>())
  assert.ok(memory.take(90))
  assert.ok(!memory.take(11))
})

const MIB = 1024 * 1024
const LIMIT = 128 * MIB
const LARGEST_BODY = 25 * MIB
const SMALL_BODY = 64 * 1024

for (const tenants of [4, 10, 100]) {
  test(`Beside ${tenants} tenants that take all they get, another one has room, and gets what they had.`, () => {
    const memoryOf = createShares<TenantId>(LIMIT, LARGEST_BODY)
    const hostile = Array.from({ length: tenants }, () => newId<TenantId>())
    const held = new Map<TenantId, number>()
    // The largest body first, then ever smaller ones until nothing fits.
    for (let bytes = LARGEST_BODY; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      for (const tenant of hostile) {
        while (memoryOf(tenant).take(bytes)) held.set(tenant, (held.get(tenant) ?? 0) + bytes)
      }
    }
    const taken = [...held.values()].reduce((sum, bytes) => sum + bytes, 0)
    assert.ok(taken <= LIMIT - SMALL_BODY, `${taken} of ${LIMIT} bytes are held`)
    const good = memoryOf(newId<TenantId>())
    assert.ok(good.take(SMALL_BODY))
    if (tenants === 4) assert.ok(good.take(768 * 1024), 'the largest signal')
    for (const [tenant, bytes] of held) memoryOf(tenant).give(bytes)
    assert.ok(good.take(LARGEST_BODY - SMALL_BODY - 768 * 1024))
  })
}

test('Each of many tenants that begin small bodies at once has room, also behind the large ones.', () => {
  const memoryOf = createShares<TenantId>(LIMIT, LARGEST_BODY)
  for (let hostile = 0; hostile < 10; hostile += 1) memoryOf(newId<TenantId>()).take(LARGEST_BODY)
  for (let tenant = 0; tenant < 200; tenant += 1) assert.ok(memoryOf(newId<TenantId>()).take(SMALL_BODY), `${tenant}`)
})
