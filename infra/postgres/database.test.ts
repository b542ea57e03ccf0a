import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type AssayError, isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { createDatabase } from './database.ts'
import { createPool } from './pool.ts'
import type { Scope, Transaction } from './port.ts'
import { startTestDatabase } from './testing.ts'

const logger = createLogger({ level: 'silent', program: 'test' })
const db = await startTestDatabase()
after(() => db.stop())
const [here, elsewhere] = await db.workspaces(2)
assert.ok(here && elsewhere)
const scope: Scope = { role: 'assay_app', workspaceId: here }

const inScope = <T>(work: (tx: Transaction) => Promise<T>) => db.database.transaction(scope, work)

const failure = async (work: Promise<unknown>): Promise<AssayError> => {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    reason => reason,
  )
  assert.ok(isAssayError(error), String(error))
  return error
}

const nodes = () => inScope(tx => tx.query<{ name: string }>('select name from map_nodes order by name'))
const insertNode = (tx: Transaction, name: string) =>
  tx.query('insert into map_nodes (id, workspace_id, name) values (gen_random_uuid(), $1, $2)', [here, name])

test('what a transaction wrote is there once it resolves', async () => {
  await inScope(tx => insertNode(tx, 'kept'))
  assert.deepEqual(await nodes(), [{ name: 'kept' }])
})

test('what a transaction wrote is gone when its work throws, and the error is the one that was thrown', async () => {
  const thrown = new Error('changed my mind')
  await assert.rejects(
    inScope(async tx => {
      await insertNode(tx, 'undone')
      throw thrown
    }),
    error => error === thrown,
  )
  assert.deepEqual(await nodes(), [{ name: 'kept' }])
})

test('a failure that the work swallowed is not taken for a commit', async () => {
  const error = await failure(
    inScope(async tx => {
      await insertNode(tx, 'lost')
      await tx.query('select 1 / 0').catch(() => {})
    }),
  )
  assert.equal(error.code, 'internal')
  assert.deepEqual(await nodes(), [{ name: 'kept' }])
})

test('a value that breaks a constraint keeps its SQLSTATE within reach, and says nothing of the row to the outside', async () => {
  const error = await failure(inScope(tx => insertNode(tx, 'kept')))
  assert.equal(error.code, 'conflict')
  assert.equal(error.retriable, false)
  assert.ok(error.cause instanceof pg.DatabaseError)
  assert.equal(error.cause.code, '23505')
  assert.doesNotMatch(error.publicMessage, /kept/)
})

test('a value of the wrong form is invalid input with its SQLSTATE', async () => {
  const error = await failure(inScope(tx => tx.query('select $1::uuid', ['no uuid'])))
  assert.equal(error.code, 'invalid_input')
  assert.ok(error.cause instanceof pg.DatabaseError && error.cause.code === '22P02')
})

test('what competes with another transaction is busy and worth trying again', async () => {
  for (const sqlState of ['40001', '40P01', '55P03']) {
    const error = await failure(
      inScope(tx => tx.query(`do $$ begin raise exception 'competing' using errcode = '${sqlState}'; end $$`)),
    )
    assert.deepEqual([error.code, error.retriable], ['busy', true], sqlState)
  }
})

test('a server that cannot serve us now is unavailable and worth trying again', async () => {
  for (const sqlState of ['08006', '28P01', '3D000', '53100', '53300', '57P01', '57P02', '57P03', '58030']) {
    const error = await failure(
      inScope(tx => tx.query(`do $$ begin raise exception 'away' using errcode = '${sqlState}'; end $$`)),
    )
    assert.deepEqual([error.code, error.retriable], ['unavailable', true], sqlState)
  }
})

test('a server that hangs up, or speaks no TLS when it must, is unavailable, and nothing is said past the log', async t => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  t.after(() => process.off('warning', onWarning))

  const server = createServer(socket => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  // What a server that listens on a port has.
  const { port } = server.address() as AddressInfo
  for (const query of ['', '?sslmode=require', '?application_name=a&sslmode=verify-ca']) {
    const database = createDatabase(
      createPool({ connection: `postgres://assay@127.0.0.1:${port}/assay${query}`, max: 1, logger }),
    )
    const error = await failure(database.ping())
    assert.deepEqual([error.code, error.retriable], ['unavailable', true])
    await database.close()
  }
  assert.deepEqual(warnings, [])
})

test('a workspace id that is no UUID never reaches the database', async () => {
  // What a caller with a wrong cast could pass.
  const workspaceId = "'; drop table signals; --" as WorkspaceId
  assert.equal(
    (await failure(db.database.transaction({ role: 'assay_app', workspaceId }, async () => {}))).code,
    'invalid_input',
  )
  const batch: Scope = { role: 'assay_pipeline', workspaceIds: [here, workspaceId] }
  assert.equal((await failure(db.database.transaction(batch, async () => {}))).code, 'invalid_input')
})

test('neither the role nor the workspace outlives its transaction', async () => {
  await inScope(tx => tx.query('select 1'))
  const { rows } = await db.pool.query(
    "select current_user = session_user as is_itself, current_setting('assay.workspace_id', true) as workspace",
  )
  assert.equal(rows[0].is_itself, true)
  assert.equal(rows[0].workspace || '', '')
})

test('transactions side by side keep to their own workspaces', async () => {
  const seen = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const workspaceId = index % 2 === 0 ? here : elsewhere
      return db.database.transaction({ role: 'assay_app', workspaceId }, async tx => {
        await new Promise(setImmediate)
        const [row] = await tx.query<{ id: string }>('select id from workspaces')
        return row?.id === workspaceId
      })
    }),
  )
  assert.ok(seen.every(Boolean))
})

test('statements that are asked at once run in their order; when one fails, so do those behind it', async () => {
  const named = `select name from map_nodes where name = 'first'`
  const [, there, , gone] = await inScope(tx =>
    Promise.all([
      insertNode(tx, 'first'),
      tx.query(named),
      tx.query(`delete from map_nodes where name = 'first'`),
      tx.query(named),
    ]),
  )
  assert.deepEqual([there, gone], [[{ name: 'first' }], []])
  const answers = inScope(async tx => {
    const asked = ['select 1 as one', 'select 1 / 0', 'select 2 as two'].map(statement => tx.query(statement))
    const settled = await Promise.allSettled([...asked, insertNode(tx, 'behind')])
    assert.deepEqual(
      settled.map(one => one.status),
      ['fulfilled', 'rejected', 'rejected', 'rejected'],
    )
    await Promise.all(asked)
  })
  assert.equal((await failure(answers)).code, 'invalid_input')
  assert.ok((await nodes()).every(({ name }) => name !== 'behind'))
})

test('of statements that are sent together, all behind the one that failed tell why it did, whoever is heard first', async () => {
  const later = async <T>(answer: Promise<T>, turns: number): Promise<T> => {
    for (let turn = 0; turn < turns; turn += 1) await answer
    return answer
  }
  for (const turns of [0, 1, 5]) {
    const answers = inScope(tx => Promise.all([later(tx.query('select 1 / 0'), turns), tx.query('select 2 as two')]))
    assert.equal((await failure(answers)).code, 'invalid_input', `${turns} turns`)
  }
  // What fails after somebody went back to before the failure tells of itself.
  const again = inScope(async tx => {
    await tx.query('savepoint before')
    await tx.query('select 1 / 0').catch(() => {})
    await tx.query('rollback to savepoint before')
    const asked = [tx.query('select pg_sleep(0) from nowhere'), tx.query('select 2 as two')]
    await Promise.allSettled(asked)
    await asked[1]
  })
  assert.notEqual((await failure(again)).code, 'invalid_input')
})

test('what is sent behind an opening that fails tells of the opening', async () => {
  const statements: string[] = []
  const client = {
    query: (statement: string) => {
      statements.push(statement)
      if (statement === 'rollback') return Promise.resolve({})
      const code = statement.startsWith('begin') ? '55P03' : '25P02'
      return Promise.reject(Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code }))
    },
    release: () => {},
  }
  const pool = { options: {}, connect: () => Promise.resolve(client) } as unknown as pg.Pool
  for (const refused of [scope, { role: 'assay_pipeline', workspaceIds: [here] } as const]) {
    statements.length = 0
    const error = await failure(createDatabase(pool).transaction(refused, tx => tx.query('select 1')))
    assert.equal(error.code, 'busy')
    // Only the pipeline sends anything before its role is known to be taken on.
    assert.equal(statements.includes('select 1'), refused.role === 'assay_pipeline')
    assert.equal(statements.at(-1), 'rollback')
  }
})

test('values read as what they are', async () => {
  const [row] = await inScope(tx =>
    tx.query(`select '2024-02-29T12:00:00Z'::timestamptz as at, 7::int8 as small, 9007199254740993::int8 as large,
      array[1.5, 2]::real[] as reals, '{"a": [1]}'::jsonb as json, '2024-02-29'::date as day, null::text as nothing, '\\x00ff'::bytea as bytes`),
  )
  assert.deepEqual(row, {
    at: new Date('2024-02-29T12:00:00Z'),
    small: 7,
    large: '9007199254740993',
    reals: [1.5, 2],
    json: { a: [1] },
    day: '2024-02-29',
    nothing: null,
    bytes: Buffer.from([0, 255]),
  })
})

test('the case of letters is told apart nowhere that words are searched, whatever the language', async () => {
  const [row] = await inScope(tx => tx.query("select to_tsvector('simple', 'ÜBER École ПРИВЕТ')::text as words"))
  assert.deepEqual(row, { words: "'école':2 'über':1 'привет':3" })
})

test('a database that is not there is unavailable and worth trying again', async () => {
  for (const connection of [{ host: '/no/such/directory' }, 'postgres://assay@127.0.0.1:1/assay']) {
    const database = createDatabase(createPool({ connection, max: 1, logger }))
    for (const work of [() => database.ping(), () => database.transaction(scope, async () => {})]) {
      const error = await failure(work())
      assert.deepEqual([error.code, error.retriable], ['unavailable', true])
    }
    await database.close()
  }
})

test('a statement that takes too long is given up, and the next one is answered', async () => {
  const pool = createPool({ connection: db.connection, max: 1, statementTimeoutMs: 500, logger })
  const database = createDatabase(pool)
  const holding = await db.pool.connect()
  await holding.query('begin; lock table map_nodes')
  const waiting = failure(database.transaction(scope, tx => tx.query('select name from map_nodes')))
  assert.equal((await waiting).code, 'timeout')
  await holding.query('commit')
  holding.release()
  await pool.end()
  assert.deepEqual(await nodes(), [{ name: 'kept' }])
})
