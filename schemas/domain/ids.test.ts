import assert from 'node:assert/strict'
import { test } from 'node:test'
import { version } from 'uuid'
import { isUuid, keyedSignalId, newId, newSignalId, randomBytes, type WorkspaceId, wasAccepted } from './ids.ts'

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

test('the id of an accepted signal bears its workspace’s mark, and is as new and as ordered as any other', () => {
  const [own, other] = [newId<WorkspaceId>(), newId<WorkspaceId>()]
  const ids = Array.from({ length: 20_000 }, () => newSignalId(own))
  assert.ok(ids.every(id => version(id) === 7 && wasAccepted(own, id) && !wasAccepted(other, id)))
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids.toSorted(), ids)
  const keyed = Array.from({ length: 20_000 }, (_, index) => keyedSignalId(own, 'source', `key ${index}`, 'text'))
  assert.ok(keyed.every(id => isUuid(id) && version(id) === 5 && wasAccepted(own, id) && !wasAccepted(other, id)))
  assert.equal(new Set(keyed).size, keyed.length)
  assert.equal(keyedSignalId(own, 'source', 'key 1', 'text'), keyed[1])
  assert.notEqual(keyedSignalId(own, 'source', 'key 1', 'another text'), keyed[1])
  assert.ok(Array.from({ length: 20_000 }, () => newId()).every(id => !wasAccepted(own, id)))
  assert.ok(!wasAccepted(own, 'SIG-7'))
})
