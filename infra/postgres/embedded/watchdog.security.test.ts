import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { createLogger } from '../../runtime/logger.ts'
import { createDatabase } from '../database.ts'
import { createPool } from '../pool.ts'
import { prepareDirectoryForTests } from '../testing-embedded.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts'
import { LIMITS, statementLimit } from './server.ts'

const logger = createLogger({ level: 'silent', program: 'test' })
const root = await mkdtemp(join(tmpdir(), 'assay-watchdog-'))
const pristine = join(root, 'pristine')
const running: EmbeddedPostgres[] = []
// As where the first start makes the database: another thread has been there before the engine's.
before(async () => {
  await once(new Worker('0', { eval: true }), 'exit')
  await prepareDirectoryForTests(pristine)
})
after(async () => {
  for (const each of running) await each.stop()
  await rm(root, { recursive: true, force: true })
})

const started = async (name: string): Promise<pg.ClientConfig> => {
  const directory = join(root, name)
  await cp(pristine, directory, { recursive: true, mode: 0 })
  const watch = { intervalMs: 20, graceMs: 300 }
  const embedded = await startEmbeddedPostgres({ directory, logger, onCrash: assert.fail, watch })
  running.push(embedded)
  assert.ok(typeof embedded.connection === 'object')
  return embedded.connection
}

const LIMIT_MS = 200

const poolOf = (connection: pg.ClientConfig, statementTimeoutMs?: number): pg.Pool =>
  createPool({ connection, max: 2, logger, ...(statementTimeoutMs && { statementTimeoutMs }) })

/** Statements that would go on for ever, each in another part of the engine. */
const ENDLESS: Readonly<Record<string, string>> = {
  'a recursion in a circle': `with recursive upwards as (
    select id, above from circle union all select circle.id, circle.above from upwards join circle on circle.id = upwards.above
  ) select count(*) from upwards`,
  'a product of tables': 'select count(*) from generate_series(1, 1000000) a cross join generate_series(1, 1000000) b',
  'a loop of a function': 'do $$ begin loop end loop; end $$',
  'a sort that never fills': 'select n from generate_series(1, 1000000000) n order by n desc',
  'a regular expression': `select count(regexp_replace(repeat('a', 2000) || n, '^(.*)(.*)(.*)\\1\\2\\3b$', ''))
    from generate_series(1, 100000) as n`,
}

/**
 * One expression in which the engine looks for no interrupt: the product of two numbers of 60,000 digits, some hundred
 * times.
 */
const UNINTERRUPTED = `select ${Array.from({ length: 200 }, () => 'length((n * n)::text)').join(' + ')}
  from (select repeat('9', 60000)::numeric as n offset 0) as numbers`

describe('A statement that is past its limit in the embedded database', () => {
  it('ends as PostgreSQL ends it, wherever it is, and what it began is undone; others are served', async () => {
    const connection = await started('cancelled')
    const [limited, other] = [poolOf(connection, LIMIT_MS), poolOf(connection)]
    await other.query('create table circle (id integer, above integer)')
    await other.query('insert into circle values (1, 1)')
    for (const [what, statement] of Object.entries(ENDLESS)) {
      const client = await limited.connect()
      const { rows: before } = await client.query('select pg_backend_pid() as pid, pg_postmaster_start_time() as began')
      await client.query('begin')
      await client.query('insert into circle values (2, 1)')
      const waiting = other.query('select count(*)::int as rows from circle')
      await assert.rejects(client.query(statement), { code: '57014' }, what)
      await client.query('rollback')
      assert.deepEqual((await waiting).rows, [{ rows: 1 }], what)
      const { rows: after } = await client.query('select pg_backend_pid() as pid, pg_postmaster_start_time() as began')
      assert.deepEqual(after, before, what)
      client.release()
    }
    await limited.end()
    await other.end()
  })

  it('has the limit that its connection asked for, up to the longest', () => {
    assert.equal(statementLimit('200'), 200)
    assert.equal(statementLimit('0'), LIMITS.longestStatement)
    assert.equal(statementLimit('99999999999'), LIMITS.longestStatement)
    assert.equal(statementLimit(undefined), LIMITS.statement)
    assert.equal(statementLimit('8 s'), LIMITS.statement)
  })

  it('holds up no backup that begins meanwhile: that hears of the restart, and the next one is made', async t => {
    const [blocked, givenUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    t.mock.method(logger, 'warn', (...[message]: unknown[]) => {
      if (String(message).includes('past its limit')) blocked.resolve()
      if (String(message).includes('is started again')) givenUp.resolve()
    })
    const connection = await started('held')
    const embedded = running.at(-1)
    assert.ok(embedded !== undefined)
    const limited = poolOf(connection, LIMIT_MS)
    const uninterrupted = limited.query(UNINTERRUPTED).catch((error: Error) => error)
    await blocked.promise
    let heard: unknown = null
    embedded.holdCheckpoints().then(
      () => assert.fail('the thread was blocked until it was given up'),
      error => {
        heard = error
      },
    )
    await givenUp.promise
    // Waits for the next thread.
    const tidy = await embedded.holdCheckpoints()
    assert.equal((heard as { code?: unknown } | null)?.code, 'unavailable')
    tidy()
    assert.ok((await uninterrupted) instanceof Error)
    await limited.end()
  })

  it('has the thread started again where it does not end: nothing that was committed is lost, and pools go on', async () => {
    const connection = await started('restarted')
    const [limited, other] = [poolOf(connection, LIMIT_MS), poolOf(connection)]
    await other.query('create table written (n integer primary key)')
    for (let n = 1; n <= 50; n += 1) await other.query('insert into written values ($1)', [n])
    const open = await other.connect()
    await open.query('begin')
    await open.query('insert into written values (1000)')
    await open.query('commit')
    open.release()

    const uninterrupted = limited.query(UNINTERRUPTED).catch((error: Error) => error)
    // Asked behind it, and lost with its connection.
    const database = createDatabase(other)
    const ping = database.ping().then(
      () => null,
      (error: unknown) => error,
    )
    const ended = await uninterrupted
    // On a busy machine its client gives up first.
    assert.match(String(ended), /Connection terminated|Query read timeout/)
    const lost = await ping
    assert.ok(lost === null || (lost as { code?: unknown }).code === 'unavailable', String(lost))
    const rows = await (async () => {
      for (;;) {
        try {
          return (await other.query('select count(*)::int as rows, max(n) as last from written')).rows
        } catch {
          await new Promise(resolve => setTimeout(resolve, 50))
        }
      }
    })()
    assert.deepEqual(rows, [{ rows: 51, last: 1000 }])
    await other.query('insert into written values (51)')
    await limited.end()
    await other.end()
  })
})
