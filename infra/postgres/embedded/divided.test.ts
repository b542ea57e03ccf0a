import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { isAssayError } from '../../runtime/errors.ts'
import type { Scope, Standing, Transaction } from '../port.ts'
import { testDatabaseOn } from '../testing.ts'
import { startEmbeddedForTests } from '../testing-embedded.ts'

const db = testDatabaseOn(await startEmbeddedForTests())
after(() => db.stop())
const [here, elsewhere] = await db.workspaces(2)
assert.ok(here && elsewhere)
const scope: Scope = { role: 'assay_app', workspaceId: here, isDivisible: true }

const divided = <T>(work: (transaction: Transaction) => Promise<T>) => db.database.transaction(scope, work)
const insertNode = (transaction: Transaction, name: string) =>
  transaction.query('insert into map_nodes (id, workspace_id, name) values (gen_random_uuid(), $1, $2)', [here, name])
const nodes = () =>
  divided(transaction => transaction.query<{ name: string }>('select name from map_nodes order by name'))
const BEGUN = 'select extract(epoch from now())::text as begun, current_user as role'

test('statements that are asked together are one transaction, and the next ones another', async () => {
  await divided(async transaction => {
    const ask = async () => (await transaction.query<{ begun: string; role: string }>(BEGUN))[0]
    const [first, second] = await Promise.all([ask(), ask()])
    const third = await ask()
    assert.deepEqual(first, second)
    assert.notEqual(third?.begun, first?.begun)
    assert.deepEqual([first?.role, third?.role], ['assay_app', 'assay_app'])
  })
})

test('others are served while one that may be divided computes', async () => {
  await divided(async transaction => {
    await transaction.query('select 1')
    // It would wait for ever if the session were kept.
    await db.database.transaction({ role: 'assay_app', workspaceId: elsewhere }, other => other.query('select 1'))
    await transaction.query('select 1')
  })
})

test('each part sees the rows of its workspace alone, and what it wrote is kept', async () => {
  await divided(transaction => insertNode(transaction, 'kept'))
  assert.deepEqual(await nodes(), [{ name: 'kept' }])
  const there = await db.database.transaction(
    { role: 'assay_app', workspaceId: elsewhere, isDivisible: true },
    transaction => transaction.query('select name from map_nodes'),
  )
  assert.deepEqual(there, [])
})

test('a statement that fails takes back those asked with it, and the connection goes on', async () => {
  const codes = await divided(async transaction => {
    const asked = [insertNode(transaction, 'lost'), transaction.query('select 1 / 0'), transaction.query('select 1')]
    const settled = await Promise.allSettled(asked)
    const next = await transaction.query('select 1 as one')
    assert.deepEqual(next, [{ one: 1 }])
    return settled.map(one => (one.status === 'rejected' && isAssayError(one.reason) ? one.reason.code : one.status))
  })
  // The first is not told that it is stored.
  assert.deepEqual(codes, ['internal', 'invalid_input', 'invalid_input'])
  assert.deepEqual(await nodes(), [{ name: 'kept' }])
})

test('whoever has lost their place is refused, and nothing that was sent behind is done', async () => {
  const standing: Standing = {
    workspaceId: here,
    userId: here as string as Standing['userId'],
    role: 'owner',
    administers: false,
    proof: { sessionId: here },
    holds: 'own',
  }
  const refused = db.database.transaction({ ...scope, standing }, transaction => insertNode(transaction, 'stranger'))
  await assert.rejects(refused, error => isAssayError(error) && error.code === 'unauthorized')
  await turn()
  assert.deepEqual(await nodes(), [{ name: 'kept' }])
})
