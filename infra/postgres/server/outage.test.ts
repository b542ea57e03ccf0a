import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AssayError, isAssayError } from '../../runtime/errors.ts'
import { createLogger } from '../../runtime/logger.ts'
import { eventually } from '../../runtime/testing.ts'
import { describeWithStack } from '../../stack/testing.ts'
import { createDatabase } from '../database.ts'
import { assertPostgresMigrated, migratePostgres } from '../migrate.ts'
import { createPool } from '../pool.ts'
import type { Scope } from '../port.ts'

/**
 * A server that other tests do not use, as it is stopped here. An error event that nobody listens to fails this file.
 */
await describeWithStack(['postgres'], stack => {
  const logger = createLogger({ level: 'silent', program: 'test' })
  const url = stack.urls.DATABASE_URL ?? ''
  const pool = createPool({ connection: url, max: 4, logger })
  const database = createDatabase(pool)
  before(() => migratePostgres(pool, { logger }))
  after(async () => {
    await database.close()
    await stack.stop()
  })

  const scope: Scope = { role: 'assay_accounts' }
  const addTenant = (name: string) =>
    database.transaction(scope, tx => tx.query('insert into tenants (id, name) values (gen_random_uuid(), $1)', [name]))
  const tenants = () => database.transaction(scope, tx => tx.query('select name from tenants order by name'))
  const worksAgain = () => eventually('it is ready again', () => assertPostgresMigrated(pool).then(() => true))

  const failureOf = (work: Promise<unknown>): Promise<AssayError> =>
    work.then(
      () => assert.fail('it did not fail'),
      error => (isAssayError(error) ? error : assert.fail(String(error))),
    )
  const isUnavailable = async (work: Promise<unknown>): Promise<void> => {
    const { code, retriable } = await failureOf(work)
    assert.deepEqual([code, retriable], ['unavailable', true])
  }

  /** Transactions in every state that a lost server can find them in, under way. `struck` resolves when the one in
   *  a statement has failed; after `goOn` the others go on, and `lost` resolves when each has failed. */
  const begin = async (): Promise<{ struck: Promise<void>; goOn: () => void; lost: Promise<unknown> }> => {
    const { promise: gate, resolve: goOn } = Promise.withResolvers<void>()
    let begun = 0
    const inStatement = isUnavailable(
      database.transaction(scope, async tx => {
        begun += 1
        await tx.query('select pg_sleep(60)')
      }),
    )
    const holding = (end: string) =>
      isUnavailable(
        database.transaction(scope, async tx => {
          await tx.query(`insert into tenants (id, name) values (gen_random_uuid(), 'never')`)
          begun += 1
          await gate
          if (end !== '') await tx.query(end)
        }),
      )
    const lost = Promise.all([inStatement, holding('select 1'), holding('')])
    await eventually('they are under way', () => begun === 3)
    return { struck: inStatement, goOn, lost }
  }

  test('while the server is stopped every call fails as unavailable, and afterwards they work with what was stored', async () => {
    await addTenant('before')
    const { goOn, lost } = await begin()
    await stack.stopEngine('postgres')
    goOn()
    await lost
    for (const call of [
      () => tenants(),
      () => database.ping(),
      () => assertPostgresMigrated(pool),
      () => migratePostgres(pool, { logger }),
    ])
      await isUnavailable(call())

    await stack.startEngine('postgres')
    await worksAgain()
    await addTenant('afterwards')
    assert.deepEqual(await tenants(), [{ name: 'afterwards' }, { name: 'before' }])
  })

  test('a server that crashes takes transactions with it, and is waited for while it recovers', async () => {
    const victim = createPool({ connection: url, max: 1, logger })
    const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
    const { struck, goOn, lost } = await begin()
    // The death of one of its processes makes the server end all others and begin again.
    process.kill(rows[0]?.pid ?? assert.fail('no process'), 'SIGKILL')
    await struck
    // Whoever commits at the moment of the crash may be told nothing and have committed: here all wait until it is
    // over.
    await worksAgain()
    goOn()
    await lost
    await victim.end()
    assert.deepEqual(await tenants(), [{ name: 'afterwards' }, { name: 'before' }])
  })

  test('a connection more than the server allows is unavailable, not an error of the caller', async () => {
    await pool.query(`create role guest login password 'guest' connection limit 1`)
    const own = new URL(url)
    own.username = 'guest'
    own.password = 'guest'
    const guests = createPool({ connection: own.href, max: 2, logger })
    const first = await guests.connect()
    await isUnavailable(createDatabase(guests).ping())
    first.release()
    await createDatabase(guests).ping()
    await guests.end()
  })

  test('a wrong password, a missing database and a server without TLS where it is asked for are said', async () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      [url.replace(/:[^:@]+@/, ':guess@'), /refuses the user or the password/],
      [`${url}_elsewhere`, /no database of that name/],
      [`${url}?sslmode=verify-full`, /No secure connection.*does not support SSL/],
    ]
    for (const [connection, message] of wrong) {
      const stranger = createDatabase(createPool({ connection, max: 1, logger }))
      const error = await failureOf(stranger.ping())
      assert.deepEqual([error.code, error.retriable], ['unavailable', true])
      assert.match(error.publicMessage, message)
      assert.doesNotMatch(error.publicMessage, /guess/)
      await stranger.close()
    }
  })

  test('the server itself keeps the limit of a statement, and the URL may set another', async () => {
    const limits = async (connection: string) => {
      const limited = createPool({ connection, max: 1, statementTimeoutMs: 12_000, logger })
      const { rows } = await limited.query('show statement_timeout')
      await limited.end()
      return rows
    }
    assert.deepEqual(await limits(url), [{ statement_timeout: '12s' }])
    assert.deepEqual(await limits(`${url}?statement_timeout=7000`), [{ statement_timeout: '7s' }])
  })
})
