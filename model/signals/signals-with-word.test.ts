import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Scope } from '../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

let db: TestDatabase
let one: WorkspaceId
let two: WorkspaceId
before(async () => {
  db = await startTestDatabase()
  const [first, second] = await db.workspaces(2)
  assert.ok(first && second)
  one = first
  two = second
  for (const workspaceId of [one, two]) {
    await db.pool.query(
      `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at,
         received_at, classification, classification_confidence, classification_version)
       select gen_random_uuid(), $1, n, 'webhook', 'The export of number ' || n, '\\x00', 'customer', 'user', now(), now(),
         'problem', 1, 'test'
       from generate_series(1, 3) as n`,
      [workspaceId],
    )
  }
})
after(() => db.stop())

const count = (scope: Scope, workspaceId: WorkspaceId, word: string, atMost = 50) =>
  db.database.transaction(scope, async transaction => {
    const rows = await transaction.query('select signals_with_word($1, $2, $3)', [workspaceId, word, atMost])
    return rows.length
  })

test('a word is found in the workspaces of the transaction, at most so often', async () => {
  assert.equal(await count({ role: 'assay_app', workspaceId: one }, one, 'export'), 3)
  assert.equal(await count({ role: 'assay_pipeline', workspaceIds: [one, two] }, two, 'export'), 3)
  assert.equal(await count({ role: 'assay_pipeline', workspaceIds: [one] }, one, 'export', 2), 2)
  assert.equal(await count({ role: 'assay_app', workspaceId: one }, one, 'import'), 0)
})

test('the function that works around row-level security shows nothing of another workspace', async () => {
  assert.equal(await count({ role: 'assay_app', workspaceId: one }, two, 'export'), 0)
  assert.equal(await count({ role: 'assay_pipeline', workspaceIds: [one] }, two, 'export'), 0)
})

test('a role that is for no workspace may not call it', async () => {
  await assert.rejects(count({ role: 'assay_edge' }, one, 'export'))
  await assert.rejects(count({ role: 'assay_accounts' }, one, 'export'))
})

test('a word is a word, whatever signs it has', async () => {
  for (const word of ["it's", 'a:*', 'a | b', "x' | 'export", '\\', "'", "\\'", '!export']) {
    assert.equal(await count({ role: 'assay_app', workspaceId: one }, one, word), 0, word)
  }
})
