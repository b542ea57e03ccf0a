import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, type TenantId } from '../../schemas/domain/ids.ts'
import { createLaneChoice } from './received-signals.ts'

const KIB = 1024

/** How many of a tenant's signals go on in the live lane when so many of a size come evenly within so many seconds. */
const liveOf = (bytes: number, aSecond: number, seconds: number): number => {
  let at = 1_000_000
  const share = createLaneChoice(() => at)
  const tenant = newId<TenantId>()
  let live = 0
  for (let sent = 0; sent < aSecond * seconds; sent += 1) {
    at = 1_000_000 + (sent * 1000) / aSecond
    if (share(tenant, bytes) === 'live') live += 1
  }
  return live
}

test('a tenant that uses its endpoints as people do stays in the live lane', () => {
  // Ten endpoints at the documented 100 a minute, of ordinary size; a long mail a second; the longest texts every seven
  // seconds.
  assert.equal(liveOf(KIB, 1000 / 60, 300), 5000)
  assert.equal(liveOf(16 * KIB, 1, 300), 300)
  assert.equal(liveOf(64 * KIB, 1 / 7, 300), 43)
})

test('a flood keeps to its share of the live lane, whatever its records are', () => {
  for (const [bytes, aSecond] of [
    [KIB, 2000],
    [64 * KIB, 42],
    [800 * KIB, 42],
  ] as const) {
    const each = 4 + bytes / 256
    const spent = liveOf(bytes, aSecond, 300) * each
    assert.ok(spent <= 300 * 150 + 1000, `${spent} ms of ${bytes} bytes each`)
    // Who comes at some moment waits for half of the one that is worked on.
    const waited = (spent / 300_000) * (each / 2)
    assert.ok(waited < 8, `others wait for ${waited} ms on average`)
  }
})

test('one tenant’s flood takes nothing from another', () => {
  const share = createLaneChoice(() => 1_000_000)
  const [hostile, good] = [newId<TenantId>(), newId<TenantId>()]
  for (let sent = 0; sent < 10_000; sent += 1) share(hostile, KIB)
  assert.equal(share(hostile, KIB), 'bulk')
  assert.equal(share(good, KIB), 'live')
})

test('a clock that is set back neither gives nor takes', () => {
  let at = 1_000_000
  const share = createLaneChoice(() => at)
  const tenant = newId<TenantId>()
  while (share(tenant, KIB) === 'live');
  at -= 500_000
  assert.equal(share(tenant, KIB), 'bulk')
  at += 10_000
  assert.equal(share(tenant, KIB), 'live')
})
