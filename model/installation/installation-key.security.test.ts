import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createDatabase } from '../../infra/postgres/database.ts'
import { startTestDatabase } from '../../infra/postgres/testing.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { createSealer } from '../../infra/runtime/secrets.ts'
import { newId } from '../../schemas/domain/ids.ts'
import { createKeyCheck } from './installation-key.ts'

const db = await startTestDatabase()
const database = createDatabase(db.pool)
after(() => db.stop())
const [workspace] = await db.workspaces(1)

const OURS = new Uint8Array(32).fill(1)
const THEIRS = new Uint8Array(32).fill(2)

const check = (installationKey: Uint8Array, acceptNewKey = false) =>
  createKeyCheck(database, { installationKey, acceptNewKey })()

const isRefused = (error: unknown): true => {
  assert.ok(isAssayError(error))
  assert.equal(error.code, 'invalid_configuration')
  assert.match(error.publicMessage, /not the one .* Restore the key, which is INSTALLATION_KEY or/)
  assert.equal(error.retriable, false)
  return true
}

beforeEach(async () => {
  await db.pool.query('truncate installation_key')
  await db.pool.query('truncate sources cascade')
})

const sealSource = (key: Uint8Array, changed: string) =>
  db.pool.query(
    `insert into sources (id, workspace_id, kind, name, sealed_secret, changed_at) values ($1, $2, 'metric', 'M', $3, $4)`,
    [newId(), workspace, createSealer(key).seal('a secret'), changed],
  )

test('the first key is the installation’s, and from then on every other is refused', async () => {
  await check(OURS)
  await check(OURS)
  await assert.rejects(check(THEIRS), isRefused)
  await check(OURS)
})

test('of programs that start for the first time at once with different keys, one key wins', async () => {
  const outcomes = await Promise.allSettled([check(OURS), check(THEIRS)])
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

test('a database of an earlier version tells by what was sealed last', async () => {
  await sealSource(THEIRS, '2026-01-01')
  await sealSource(OURS, '2026-02-01')
  await assert.rejects(check(THEIRS), isRefused)
  const { rows } = await db.pool.query('select * from installation_key')
  assert.deepEqual(rows, [])
  await check(OURS)
})

test('another key is taken when that is asked for, and is the installation’s from then on', async () => {
  await sealSource(OURS, '2026-01-01')
  await check(THEIRS, true)
  await check(OURS, true)
  await assert.rejects(check(THEIRS), isRefused)
  await check(OURS)
})
