import assert from 'node:assert/strict'
import { test } from 'node:test'
import { version } from 'uuid'
import { isUuid, newId } from './ids.ts'
import { randomBytes } from './random-bytes.ts'

test('new ids are UUIDs of version 7 in the order they were made, and tell the time', () => {
  const before = Date.now()
  const ids = Array.from({ length: 20_000 }, () => newId())
  assert.ok(ids.every(id => isUuid(id) && version(id) === 7))
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids.toSorted(), ids)
  const madeAt = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)
  assert.ok(madeAt >= before && madeAt <= Date.now())
})

test('random bytes are never given out twice', () => {
  const seen = new Set(Array.from({ length: 5000 }, () => Buffer.from(randomBytes(16)).toString('hex')))
  assert.equal(seen.size, 5000)
})
