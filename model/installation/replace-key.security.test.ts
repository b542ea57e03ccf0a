import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import type { Database } from '../../infra/postgres/port.ts'
import { startTestDatabase } from '../../infra/postgres/testing.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { createPseudonymizer, keyAfter, keyInForce, withKeyBefore } from '../../infra/runtime/secrets.ts'
import { newId } from '../../schemas/domain/ids.ts'
import { createKeyCheck } from './installation-key.ts'
import { readSealedCounts, reseal } from './replace-key.ts'
import { SEALED_COLUMNS, type Sealed, sealsOf } from './sealed-columns.ts'

const db = await startTestDatabase()
after(() => db.stop())
const [workspace] = await db.workspaces(1)

const OLD = randomBytes(32)
const NEW = keyAfter(OLD)
const BOTH = withKeyBefore(NEW, OLD)
const SECRET = 'what is sealed'

/** Hashes, what a model has learned, a session’s own token, and tokens of an issuer, which are not kept. */
const NOT_SEALED = [
  'account_credentials.access_token',
  'account_credentials.id_token',
  'account_credentials.password',
  'account_credentials.refresh_token',
  'account_sessions.token',
  'embedding_fingerprints.vectors',
  'installation_key.check_value',
  'installation_key.next_check_value',
  'invitations.hash',
  'idempotent_answers.arguments_hash',
  'learned_classifiers.terms',
  'mcp_keys.hash',
  'signal_terms.terms',
  'signals.text_hash',
  'sources.previous_secret_hash',
  'sources.secret_hash',
]

/** How a row comes to be of which this is sealed. */
const ROWS: Readonly<Record<string, string>> = {
  'sources.sealed_secret': `insert into sources (id, workspace_id, kind, name, sealed_secret) values ($1, $2, 'metric', 'M', $3)`,
  'sources.previous_sealed_secret': `
    insert into sources (id, workspace_id, kind, name, secret_hash, previous_sealed_secret, previous_valid_until)
    values ($1, $2, 'metric', 'M', 'x', $3, now())`,
  'dead_letters.record': `
    insert into dead_letters (signal_id, workspace_id, record, step, topic, fault, error_class, message, attempts, first_failed_at,
      last_failed_at, sealed)
    values ($1, $2, $3, 'scrub', 't', 'ours', 'E', 'm', 1, now(), now(), true)`,
  'transfer_pieces.sealed': `
    with made as (
      insert into transfers (id, workspace_id, direction, format, name, started_by) values ($1, $2, 'import', 'csv', 'f', 's')
      returning id, workspace_id)
    insert into transfer_pieces (workspace_id, transfer_id, starts_at, bytes, sealed) select workspace_id, id, 0, 1, $3 from made`,
  'erasures.sealed': `
    insert into erasures (id, workspace_id, what, sealed, asked_by, asked_by_name) values ($1, $2, 'person', $3, $1, 'A')`,
  'rewrites.sealed': `insert into rewrites (id, sealed) select $1::uuid, $3 where $2::uuid is not null`,
  'outgoing_mail.sealed': `
    insert into outgoing_mail (id, kind, recipient, sealed, expires_at)
    select $1::uuid, 'verification', repeat('a', 64), $3, now() where $2::uuid is not null`,
  'account_two_factors.secret': `
    with made as (
      insert into account_users (id, name, email) select $1::uuid, 'A', $1::text || '@example.com' where $2::uuid is not null returning id)
    insert into account_two_factors (id, user_id, secret, backup_codes) select id, id, $3, $3 from made`,
}
/** A row has a value in both. */
const STORED_TOGETHER = ['account_two_factors.backup_codes']

const nameOf = ({ table, column }: { readonly table: string; readonly column: string }): string => `${table}.${column}`
const columnOf = (name: string) => SEALED_COLUMNS.find(column => nameOf(column) === name) ?? assert.fail(name)
const NAMES = SEALED_COLUMNS.map(nameOf).filter(name => !STORED_TOGETHER.includes(name))
const store = async (key: Uint8Array, name: string) =>
  db.pool.query(ROWS[name] ?? assert.fail(`there is no row for ${name}`), [
    newId(),
    workspace,
    await sealsOf(columnOf(name), keyInForce(key)).seal(SECRET),
  ])
const leftOf = async () =>
  Object.fromEntries((await readSealedCounts(db.database, BOTH)).map(c => [nameOf(c), c.before]))
const check = (installationKey: Uint8Array) => createKeyCheck(db.database, { installationKey, acceptNewKey: false })()
const isRefused = (error: unknown) =>
  isAssayError(error) && /PREVIOUS_INSTALLATION_KEY must be the old one/.test(error.publicMessage)

/** A database that is lost after so many transactions, as by a kill. */
const lostAfter = (transactions: number): Database => {
  let left = transactions
  return {
    ...db.database,
    transaction: (scope, work) => {
      left -= 1
      return left < 0 ? Promise.reject(new Error('killed')) : db.database.transaction(scope, work)
    },
  }
}

test('every column of bytes, or with the name of a secret, is sealed anew or holds nothing that the key opens', async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and (data_type = 'bytea' or column_name ~ '(secret|token|password|backup_codes)$') order by 1`,
  )
  const listed = new Set([...SEALED_COLUMNS.map(nameOf), ...NOT_SEALED])
  assert.deepEqual(
    rows.map(({ name }) => name).filter(name => !listed.has(name)),
    [],
  )
})

test('a person keeps the pseudonym over any number of keys; a key that does not follow is refused', () => {
  const of = (key: Uint8Array) => createPseudonymizer(key, 'actors')('anna@example.com')
  const third = keyAfter(NEW)
  assert.deepEqual([of(NEW), of(BOTH), of(third), of(withKeyBefore(third, NEW))], Array(4).fill(of(OLD)))
  assert.equal(Buffer.from(third).includes(OLD), false)
  assert.throws(() => withKeyBefore(randomBytes(32), OLD), /was not made to follow/)
  assert.throws(() => withKeyBefore(keyAfter(randomBytes(32)), OLD), /was not made to follow/)
})

test('both keys read everything, a kill loses nothing, and what comes meanwhile is sealed with the new one', async () => {
  await check(OLD)
  for (const name of NAMES) await store(OLD, name)
  assert.deepEqual(await leftOf(), Object.fromEntries(SEALED_COLUMNS.map(column => [nameOf(column), 1])))

  await assert.rejects(reseal(db.database, BOTH), /Restart every program first/)
  await assert.rejects(check(NEW), isRefused)
  await check(BOTH)
  await check(OLD)

  for (let transactions = 2; Object.values(await leftOf()).some(Boolean); transactions += 2) {
    await store(BOTH, 'sources.sealed_secret')
    await assert.rejects(reseal(lostAfter(transactions), BOTH), /killed/)
    // Until the database says that it is done, a program with either of both keys starts.
    await check(BOTH)
  }
  const counts = await reseal(db.database, BOTH)
  for (const { before, unreadable, current } of counts) {
    assert.deepEqual([before, unreadable], [0, 0])
    assert.ok(current > 0)
  }
  for (const column of SEALED_COLUMNS) {
    const { rows } = await db.pool.query<{ sealed: Sealed }>(
      `select ${column.column} as sealed from ${column.table} where ${column.column} is not null`,
    )
    for (const { sealed } of rows) assert.equal(String(await sealsOf(column, NEW).open(sealed)), SECRET)
  }
  await check(NEW)
  await assert.rejects(check(OLD), isRefused)
})
