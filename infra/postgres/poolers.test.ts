import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { waitFor } from '../runtime/promises.ts'
import { assertPostgresMigrated, migratePostgres } from './migrate.ts'
import { createPool } from './pool.ts'

const logger = createLogger({ level: 'silent', program: 'test' })

/** ErrorResponse of PostgreSQL's protocol (manual, chapter "Message Formats"). */
const errorResponse = (code: string, message: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** A server that answers everybody who begins a session so, and its address. */
const refusing = async (t: TestContext, code: string, message: string): Promise<string> => {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', () => socket.end(errorResponse(code, message)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  // A server that listens on a host and port has an address of this kind.
  return `postgres://assay:secret@127.0.0.1:${(server.address() as AddressInfo).port}/assay`
}

/** What becomes of somebody who waits for the database as the programs do. */
const outcomes = async (t: TestContext, connection: string) => {
  const pool = createPool({ connection, max: 1, logger })
  t.after(() => pool.end())
  const attempts: (() => Promise<unknown>)[] = [
    () => migratePostgres(pool, { logger }),
    () => assertPostgresMigrated(pool),
  ]
  return Promise.all(
    attempts.map(attempt =>
      waitFor(attempt, { what: 'the database', logger, deadlineMs: 0 }).then(
        () => assert.fail('it did not fail'),
        error => {
          assert.ok(isAssayError(error), String(error))
          return error
        },
      ),
    ),
  )
}

for (const said of [
  'unsupported startup parameter: statement_timeout',
  'unsupported startup parameter in options: idle_in_transaction_session_timeout',
]) {
  test(`a pooler that says "${said}" ends who waits, with what to set`, async t => {
    for (const { code, retriable, publicMessage } of await outcomes(t, await refusing(t, '08P01', said))) {
      assert.deepEqual([code, retriable], ['invalid_configuration', false])
      assert.match(publicMessage, /takes no \w+_timeout: .* ignore_startup_parameters = statement_timeout,idle_in_/)
      assert.doesNotMatch(publicMessage, /secret|127\.0\.0\.1/)
    }
  })
}

test('a server that takes encrypted connections alone is waited for, and it is said what it expects', async t => {
  const said = 'no pg_hba.conf entry for host "10.0.0.7", user "assay", database "assay", no encryption'
  for (const { code, publicMessage } of await outcomes(t, await refusing(t, '28000', said))) {
    assert.equal(code, 'unavailable')
    assert.match(publicMessage, /expects an encrypted connection.*sslmode/)
    assert.doesNotMatch(publicMessage, /10\.0\.0\.7/)
  }
})
