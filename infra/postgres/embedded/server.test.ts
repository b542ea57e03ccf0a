import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { eventually } from '../../runtime/testing.ts'
import { APPLICATION_NAMES } from '../port.ts'
import { openEngine } from './engine.ts'
import { startHousekeeping } from './housekeeping.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { type EmbeddedServer, serve } from './server.ts'
import { makeSocketDirectory } from './socket-directory.ts'

const engine = await openEngine({})
const directory = await makeSocketDirectory()
const server: EmbeddedServer = await serve({
  engine,
  socketPath: directory.path,
  idleInTransactionMs: 2_000,
  mostStatements: 50,
})
const settings = { host: directory.host, port: directory.port, user: 'postgres', database: 'postgres' }
const pool = new pg.Pool({ ...settings, max: 12 })
after(async () => {
  await pool.end()
  await server.close()
  await engine.close()
  await directory.remove()
})
await pool.query('create table counters (name text primary key, value integer not null)')

/** A client that is ended however the test ends. */
const withClient = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

test('clients that bind values at the same time each get their own answers', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index)
  const answers = await Promise.all(
    numbers.map(async number => {
      // Alternating shapes: a statement mixed up with another client's would have the wrong number of values.
      const { rows } =
        number % 2 === 0
          ? await pool.query<{ n: number }>('select $1::int as n', [number])
          : await pool.query<{ n: number }>('select $1::int + $2::int as n', [number - 1, 1])
      return rows[0]?.n
    }),
  )
  assert.deepEqual(answers, numbers)
})

test('clients whose values come in many pieces, between which others are served, get their own answers too', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, async (_, number) => {
      const filler = 'x'.repeat(number % 2 === 0 ? 400_000 : 1)
      const { rows } = await pool.query<{ n: number; length: number }>(
        `select ${number} as n, length($1::text) as length`,
        [filler],
      )
      return rows[0]?.n === number && rows[0].length === filler.length
    }),
  )
  assert.deepEqual(
    answers,
    Array.from({ length: 24 }, () => true),
  )
})

test('an error of one client leaves the others alone', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, (_, index) => pool.query('select 10 / $1::int as quotient', [index % 3])),
  )
  for (const [index, result] of results.entries())
    assert.equal(result.status, index % 3 === 0 ? 'rejected' : 'fulfilled')
  const [refused] = results
  assert.ok(refused?.status === 'rejected' && refused.reason instanceof pg.DatabaseError)
  assert.equal(refused.reason.code, '22012')
})

test('transactions of many clients run one after another: none sees another half done', async () => {
  await pool.query("insert into counters values ('shared', 0)")
  const increment = async () => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ value: number }>("select value from counters where name = 'shared'")
      await new Promise(setImmediate)
      await client.query("update counters set value = $1 where name = 'shared'", [(rows[0]?.value ?? 0) + 1])
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  await Promise.all(Array.from({ length: 30 }, increment))
  const { rows } = await pool.query("select value from counters where name = 'shared'")
  assert.deepEqual(rows, [{ value: 30 }])
})

const preparedTexts = () => server.run('select statement from pg_prepared_statements')

test('a statement that comes again is prepared, whoever sends it, and one that came once is not', async () => {
  const statement = 'select $1::int * 3 as tripled'
  const answers: unknown[] = []
  for (const number of [1, 2, 3, 4, 5, 6, 7]) {
    await withClient(async client => {
      answers.push((await client.query(statement, [number])).rows[0])
      await assert.rejects(client.query(statement, ['no number']), { code: '22P02' })
    })
  }
  await pool.query('select $1::int * 5 as once', [1])
  assert.deepEqual(
    answers,
    [3, 6, 9, 12, 15, 18, 21].map(tripled => ({ tripled })),
  )
  const texts = await preparedTexts()
  assert.equal(texts.filter(text => text === statement).length, 1)
  assert.ok(!texts.includes('select $1::int * 5 as once'))
})

test('a prepared statement shows each role and each setting their own rows', async () => {
  await pool.query(`
    create table owned (owner text, thing text);
    insert into owned values ('ann', 'anvil'), ('bob', 'bell');
    alter table owned enable row level security;
    create policy own on owned using (owner = current_setting('test.owner'));
    create role reader; create role overseer bypassrls;
    grant select on owned to reader, overseer`)
  const seen = async (role: string, owner: string) =>
    withClient(async client => {
      await client.query(`begin; set local role ${role}; set local test.owner = '${owner}'`)
      const { rows } = await client.query('select thing from owned where $1::int = 1 order by thing', [1])
      await client.query('commit')
      return rows.map(({ thing }) => thing).join()
    })
  for (let round = 0; round < 8; round += 1) {
    assert.equal(await seen('reader', 'ann'), 'anvil')
    assert.equal(await seen('reader', 'bob'), 'bell')
    assert.equal(await seen('overseer', 'bob'), 'anvil,bell')
  }
})

test('a prepared statement has the columns that its table has meanwhile', async () => {
  await pool.query('create table widened (a integer); insert into widened values (1)')
  const read = async () => (await pool.query('select * from widened where a = $1', [1])).rows
  for (const _ of [1, 2, 3]) assert.deepEqual(await read(), [{ a: 1 }])
  await pool.query('begin; alter table widened add column b integer; commit')
  for (const _ of [1, 2, 3]) assert.deepEqual(await read(), [{ a: 1, b: null }])
})

test('plans are made anew each time that clients have sent twice as much', () => {
  const statements = new PreparedStatements(10)
  const message = Buffer.alloc(100_000)
  const anewAt: number[] = []
  for (let sent = 1; sent <= 100; sent += 1) {
    statements.prepare([message])
    if (!statements.isPlannedTooLongAgo) continue
    anewAt.push(sent)
    statements.planAnew()
  }
  assert.deepEqual(anewAt, [10, 20, 40, 80])
})

test('statements without end do not fill the engine’s memory', async () => {
  for (let number = 0; number < 70; number += 1)
    for (const _ of [1, 2]) await pool.query(`select $1::int as made_${number}`, [1])
  const { length } = await preparedTexts()
  assert.ok(length < 50, `${length} are kept`)
})

// Bulk comes after both unless it is owed a turn by then, which is a matter of the clock: session-queue.test.ts has it.
test('people are served before the pipeline', async () => {
  const priorities = ['pipeline', 'people'] as const
  const clients = priorities.map(priority => ({
    priority,
    client: new pg.Client({ ...settings, application_name: APPLICATION_NAMES[priority] }),
  }))
  await Promise.all(clients.map(({ client }) => client.connect()))
  const served: string[] = []
  await withClient(async holder => {
    await holder.query('begin')
    const asked = clients.map(async ({ priority, client }) => {
      await client.query('select 1')
      served.push(priority)
    })
    // Server and clients share this thread: by then it has read what they sent.
    for (let turn = 0; turn < 50; turn += 1) await nextTurn()
    assert.deepEqual(served, [])
    await holder.query('commit')
    await Promise.all(asked)
  })
  assert.deepEqual(served, ['people', 'pipeline'])
  await Promise.all(clients.map(({ client }) => client.end()))
})

test('a client that vanishes in a transaction holds up nobody, and what it did is undone', async () => {
  await withClient(async client => {
    await client.query('begin')
    await client.query("insert into counters values ('vanished', 1)")
    // pg keeps its socket to itself; ending without a word is what a killed process does.
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
    const { rows } = await pool.query("select * from counters where name = 'vanished'")
    assert.deepEqual(rows, [])
  })
})

test('a client that vanishes in a failed transaction holds up nobody either', async () => {
  await withClient(async client => {
    await client.query('begin')
    await assert.rejects(client.query('select no_such_column'))
    const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
    assert.equal((await pool.query('select 1 as one')).rowCount, 1)
  })
})

test('a client that leaves a transaction open and says nothing is cut off', async () => {
  await withClient(async client => {
    await client.query('begin')
    await client.query("insert into counters values ('forgotten', 1)")
    const { rows } = await pool.query("select * from counters where name = 'forgotten'")
    assert.deepEqual(rows, [])
    await assert.rejects(client.query('commit'))
  })
})

test('bytes that are no protocol end that connection and no other', async () => {
  const stranger = connect(directory.path)
  stranger.on('error', () => {})
  const closed = new Promise(resolve => stranger.on('close', resolve))
  stranger.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  stranger.resume()
  await closed
  assert.equal((await pool.query('select 1 as one')).rowCount, 1)
})

test('a large value arrives whole in both directions', async () => {
  const text = 'é'.repeat(3_000_000)
  const { rows } = await pool.query<{ length: number; text: string }>(
    'select length($1::text) as length, $1::text as text',
    [text],
  )
  assert.equal(rows[0]?.length, 3_000_000)
  assert.equal(rows[0]?.text, text)
})

test('housekeeping writes checkpoints and vacuums, which a single session does not do by itself', async () => {
  const redo = async () => (await server.run('select redo_lsn from pg_control_checkpoint()'))[0]
  const before = await redo()
  const housekeeping = await startHousekeeping(server, assert.fail, {
    intervalMs: 20,
    checkpointBytes: 1,
    vacuumBytes: 1,
  })
  try {
    await pool.query("insert into counters select 'bulk ' || n, n from generate_series(1, 100) n")
    await eventually('a checkpoint is written', async () => (await redo()) !== before)
    await eventually('the table is vacuumed', async () => {
      const [estimate] = await server.run("select reltuples from pg_class where relname = 'counters'")
      return Number(estimate) >= 100
    })
  } finally {
    await housekeeping.stop()
  }
})

test('a statement of the server’s own that fails says why', async () => {
  await assert.rejects(server.run('vacuum no_such_table'), /relation "no_such_table" does not exist/)
})

test('what a loaded machine takes from the engine is not a client’s idle time', async () => {
  await withClient(async client => {
    await client.query('begin')
    const stall = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100)
    const answer = client.query('select 1 as n')
    stall()
    assert.deepEqual((await answer).rows, [{ n: 1 }])
    stall()
    await new Promise(resolve => setTimeout(resolve, 0))
    assert.deepEqual((await client.query('select 2 as n')).rows, [{ n: 2 }])
    await client.query('commit')
  })
})
