import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Scope, Transaction } from '../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../infra/runtime/secrets.ts'
import { newId, type SignalId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { deleteAccount } from '../accounts/delete-account.ts'
import { emptyDeletedWorkspaces } from '../workspaces/lifecycle.ts'
import {
  excerptsInRows,
  excerptsOf,
  finishRewrite,
  keepExcerpts,
  pendingRewrites,
  postponeRewrite,
  requestRewrite,
} from './rewrites.ts'

const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(9))

let db: TestDatabase
let workspaceId: WorkspaceId
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  await db.pool.query('delete from rewrites')
  const [id] = await db.workspaces(1)
  workspaceId = id ?? assert.fail()
})

const as = <T>(scope: Scope, work: (transaction: Transaction) => Promise<T>) => db.database.transaction(scope, work)
const erasing = <T>(work: (transaction: Transaction) => Promise<T>) => as({ role: 'assay_erasure', workspaceId }, work)
const owner: Transaction = {
  query: async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
    (await db.pool.query<Row & Record<string, unknown>>(statement, [...values])).rows,
}
const pending = () => pendingRewrites(owner, sealer)

const store = async (text: string): Promise<SignalId> => {
  const id = newId<SignalId>()
  await db.pool.query(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at, received_at,
       classification, classification_confidence, classification_version)
     select $1, $2, 1 + (select count(*) from signals where workspace_id = $2), 'webhook', $3, sha256(convert_to($3, 'UTF8')),
       'customer', 'user', now(), now(), 'problem', 0.9, 'test'`,
    [id, workspaceId, text],
  )
  return id
}

describe('What is looked for in files', () => {
  it('is pieces of a text that stand in bytes as they stand in it', () => {
    const text = `Nothing opens.\nThe "old" ladder of the second floor is too short for the attic, and nobody has another one that is longer.`
    const pieces = excerptsOf(text)
    assert.ok(pieces.length === 2, JSON.stringify(pieces))
    for (const piece of pieces) assert.ok(text.includes(piece) && piece.length >= 16 && !/["\\\n]/.test(piece))
    assert.deepEqual(excerptsOf('too short'), [])
  })

  it('is kept sealed with each slice that removes, of a hundred excerpts at most', async () => {
    const id = newId()
    const first = await store('The ladder of the second floor is too short.')
    const more: SignalId[] = []
    for (let n = 0; n < 120; n += 1) more.push(await store(`The violin number ${n} has no strings left.`))
    await erasing(transaction => keepExcerpts(transaction, id, [first], sealer))
    await erasing(transaction => keepExcerpts(transaction, id, more, sealer))
    assert.deepEqual(await pending(), [])
    await erasing(transaction => requestRewrite(transaction, id))
    const [rewrite] = await pending()
    assert.equal(rewrite?.excerpts.length, 100)
    assert.equal(rewrite?.excerpts[0], 'The ladder of the second floor is too short.')
    const stored = await owner.query<{ plain: boolean }>(
      `select position('ladder' in encode(sealed, 'escape')) > 0 as plain from rewrites`,
    )
    assert.deepEqual(stored, [{ plain: false }])
  })

  it('is looked for of what a mail has beside its text, too', async () => {
    const id = newId()
    const mail = await store('Short.')
    await db.pool.query('update signals set cut_quoted = $2 where id = $1', [mail, 'Did the lamp never blink before?'])
    await erasing(transaction => keepExcerpts(transaction, id, [mail], sealer))
    await erasing(transaction => requestRewrite(transaction, id))
    assert.deepEqual((await pending())[0]?.excerpts, ['Did the lamp never blink before?'])
  })

  it('is not counted where somebody else says the same', async () => {
    await store('The ladder of the second floor is too short.')
    const alive = await excerptsInRows(owner, ['The ladder of the second floor', 'The violin has no strings'])
    assert.deepEqual([...alive], ['The ladder of the second floor'])
  })
})

describe('A request that files are written anew', () => {
  it('stays where it came again while the work was done, and waits where it failed', async () => {
    await erasing(transaction => requestRewrite(transaction))
    const [first] = await pending()
    assert.ok(first)
    await erasing(transaction => requestRewrite(transaction))
    await finishRewrite(owner, first, [])
    const [again] = await pending()
    assert.ok(again)
    await postponeRewrite(owner, again, 60_000)
    assert.deepEqual(await pending(), [])
    await finishRewrite(owner, again, [])
    assert.deepEqual(await owner.query('select id from rewrites'), [])
  })

  it('comes with a workspace that was deleted, when rows of it go', async () => {
    const analytics = { remove: async () => {} } as unknown as Parameters<typeof emptyDeletedWorkspaces>[0]['analytics']
    await store('The ladder of the second floor is too short.')
    await db.pool.query('update workspaces set deleted_at = now() where id = $1', [workspaceId])
    await emptyDeletedWorkspaces({ database: db.database, analytics })
    assert.equal((await pending()).length, 1)
    await db.pool.query('delete from rewrites')
    await emptyDeletedWorkspaces({ database: db.database, analytics })
    assert.deepEqual(await pending(), [])
  })

  it('comes with an account that was deleted', async () => {
    const user = newId<UserId>()
    await db.pool.query('insert into account_users (id, name, email) values ($1, $2, $3)', [
      user,
      'Ada',
      'ada@example.com',
    ])
    const other = newId<UserId>()
    await db.pool.query('insert into account_users (id, name, email) values ($1, $2, $3)', [
      other,
      'Bo',
      'bo@example.com',
    ])
    await db.pool.query('insert into administrators (user_id) values ($1)', [other])
    await deleteAccount(db.database, user)
    assert.equal((await pending()).length, 1)
  })
})
