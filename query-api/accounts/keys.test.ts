import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { newKey } from '../../model/keys/keys.ts'
import type { KeyId } from '../../schemas/domain/ids.ts'
import { createKeyring } from './keys.ts'

const id = '0190a6b5-5a3c-7c5e-9f7a-000000000001' as KeyId

/** A keyring on a database that counts the look-ups and knows every key until `deleted` is set. */
const keyringUnderTest = (onLookUp: () => void = () => {}) => {
  const state = { lookUps: 0, deleted: false, now: 1_000_000 }
  const row = {
    id,
    label: 'Agent',
    scope: 'workspace',
    workspace_id: 'w',
    tenant_id: 't',
    owner_id: 'o',
    owner_name: 'Owner',
    role: 'member',
  }
  const query = async () => {
    state.lookUps += 1
    const rows = state.deleted ? [] : [row]
    onLookUp()
    return rows
  }
  // Only what the keyring asks of a database.
  const transaction = { query } as unknown as Transaction
  const database = { transaction: async (_scope, work) => work(transaction) } as Database
  return { state, keyring: createKeyring(database, () => new Date(state.now)) }
}

test('a key is looked up once a minute', async () => {
  const { state, keyring } = keyringUnderTest()
  const authorization = `Bearer ${newKey()}`
  const caller = await keyring.callerOf(authorization)
  assert.deepEqual(caller?.via, { kind: 'key', keyId: id, label: 'Agent' })
  state.now += 59_000
  await keyring.callerOf(authorization)
  assert.equal(state.lookUps, 1)
  state.now += 1_001
  await keyring.callerOf(authorization)
  assert.equal(state.lookUps, 2)
})

test('a key that another process deleted stops working within a minute [auth-11]', async () => {
  const { state, keyring } = keyringUnderTest()
  const authorization = `bearer ${newKey()}`
  await keyring.callerOf(authorization)
  state.deleted = true
  state.now += 60_001
  assert.equal(await keyring.callerOf(authorization), null)
})

test('an unknown key is asked for each time, so that a new one works at once', async () => {
  const { state, keyring } = keyringUnderTest()
  const authorization = `Bearer ${newKey()}`
  state.deleted = true
  assert.equal(await keyring.callerOf(authorization), null)
  state.deleted = false
  assert.notEqual(await keyring.callerOf(authorization), null)
})

test('a key deleted while it was being looked up is not honoured for another minute', async () => {
  const { state, keyring } = keyringUnderTest(() => keyring.forget(id))
  const authorization = `Bearer ${newKey()}`
  await keyring.callerOf(authorization)
  state.deleted = true
  assert.equal(await keyring.callerOf(authorization), null)
})

test('what cannot be a key is not looked up', async () => {
  const { state, keyring } = keyringUnderTest()
  const key = newKey()
  for (const header of [null, '', 'Bearer', key, `Bearer ${key} x`, `Bearer ${key.toUpperCase()}`, `Bearer ${key}a`]) {
    assert.equal(await keyring.callerOf(header), null)
  }
  assert.equal(state.lookUps, 0)
})
