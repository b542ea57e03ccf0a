import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { isAssayError } from '../../runtime/errors.ts'
import { createLogger } from '../../runtime/logger.ts'
import type { PostgresConnection } from '../pool.ts'
import { prepareDirectoryForTests } from '../testing-embedded.ts'
import { openEngine } from './engine.ts'
import { startEmbeddedPostgres } from './index.ts'
import { firstColumn, queryMessage } from './protocol.ts'

const logger = createLogger({ level: 'silent', program: 'test' })
const onCrash = assert.fail
const root = await mkdtemp(join(tmpdir(), 'assay-embedded-'))
const pristine = join(root, 'pristine')
before(() => prepareDirectoryForTests(pristine))
after(() => rm(root, { recursive: true, force: true }))

/** A data directory that was made before, as making one takes seconds. */
const directoryNamed = async (name: string): Promise<string> => {
  const directory = join(root, name)
  // Node's own copy of a thousand files takes eight times as much of the processor.
  await promisify(execFile)('cp', ['-R', pristine, directory])
  return directory
}

const query = async (connection: PostgresConnection, statement: string) => {
  assert.ok(typeof connection === 'object')
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const hostOf = (connection: PostgresConnection): string => {
  assert.ok(typeof connection === 'object' && connection.host !== undefined)
  return connection.host
}

test('keeps what was written across a stop, and leaves nothing running and no socket', async () => {
  const directory = await directoryNamed('kept')
  const first = await startEmbeddedPostgres({ directory, logger, onCrash })
  const socket = hostOf(first.connection)
  assert.equal((await stat(socket)).mode & 0o777, 0o700)
  await query(first.connection, 'create table kept as select 42 as value')
  await first.stop()
  await first.stop()
  assert.equal(existsSync(socket), false)

  const second = await startEmbeddedPostgres({ directory, logger, onCrash })
  assert.deepEqual(await query(second.connection, 'select * from kept'), [{ value: 42 }])
  await second.stop()
  assert.deepEqual(
    (await readdir(root)).filter(name => name.startsWith('kept.')),
    [],
  )
})

test('after a kill in the middle of writing, everything that was committed is there, and the stale socket is gone', async () => {
  const directory = await directoryNamed('killed')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', new URL('./testing-writer.ts', import.meta.url).pathname, directory],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let socket = ''
  let committed = 0
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('/')) socket = line
      else committed = Number(line)
    }
    if (committed >= 200) child.kill('SIGKILL')
  })
  await once(child, 'close')
  assert.ok(committed >= 200)
  assert.ok(existsSync(socket))

  const reopened = await startEmbeddedPostgres({ directory, logger, onCrash })
  const [row] = await query(
    reopened.connection,
    'select count(*)::int as rows, max(n) as last, count(distinct n)::int as distinct from written',
  )
  assert.ok(row.last >= committed, `${row.last} of at least ${committed} are there`)
  assert.equal(row.rows, row.last)
  assert.equal(row.distinct, row.last)
  assert.equal(existsSync(socket), false)
  await reopened.stop()
})

test('a directory left unfinished by a kill during the first start is made anew', async () => {
  const directory = join(root, 'first')
  await cp(join(pristine, 'PG_VERSION'), join(`${directory}.new`, 'PG_VERSION'), { recursive: true })
  const embedded = await startEmbeddedPostgres({ directory, logger, onCrash })
  assert.deepEqual(await query(embedded.connection, 'select 1 as one'), [{ one: 1 }])
  await embedded.stop()
  assert.equal(existsSync(`${directory}.new`), false)
})

test('a commit reaches the disk before it is answered', async t => {
  const engine = await openEngine({ directory: await directoryNamed('synced') })
  t.after(() => engine.close())
  assert.deepEqual(firstColumn(engine.exchange(queryMessage('show fsync'))), ['on'])
  engine.exchange(queryMessage('create table synced (n integer)'))
  const { mock } = t.mock.method(fs, 'fsyncSync')
  for (const expected of [1, 2, 3]) {
    engine.exchange(queryMessage(`insert into synced values (${expected})`))
    assert.equal(mock.callCount(), expected)
  }
})

test('a clock that goes a year ahead and comes back sets no timer that fires at once', async t => {
  const warnings: string[] = []
  const note = ({ name }: Error) => name === 'TimeoutOverflowWarning' && warnings.push(name)
  process.on('warning', note)
  const engine = await openEngine({})
  t.after(async () => {
    process.off('warning', note)
    await engine.close()
  })
  const clock = t.mock.method(Date, 'now')
  clock.mock.mockImplementation(() => performance.timeOrigin + performance.now() + 400 * 86_400_000)
  // A timer of the session runs from here on, until the transaction ends.
  engine.exchange(queryMessage('set idle_in_transaction_session_timeout = 20; begin'))
  clock.mock.restore()
  await new Promise(resolve => setTimeout(resolve, 100))
  assert.deepEqual(firstColumn(engine.exchange(queryMessage('select 1'))), ['1'])
  engine.exchange(queryMessage('rollback'))
  assert.deepEqual(warnings, [])
})

/** What a kill may leave of a directory, and what may become of it after. */
const DAMAGES: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  'nothing but PG_VERSION': async directory => {
    await rm(directory, { recursive: true })
    await cp(join(pristine, 'PG_VERSION'), join(directory, 'PG_VERSION'))
  },
  'everything but PG_VERSION': directory => rm(join(directory, 'PG_VERSION')),
  'half a pg_control, and garbled': async directory => {
    const file = join(directory, 'global/pg_control')
    const bytes = await readFile(file)
    await writeFile(
      file,
      bytes.subarray(0, bytes.length / 2).map(byte => byte ^ 0x5a),
    )
  },
  'an empty write-ahead log': directory => truncate(join(directory, 'pg_wal/000000010000000000000001')),
}

for (const [left, damage] of Object.entries(DAMAGES)) {
  test(`a directory of which there is ${left} is refused in one sentence, and leaves no socket`, async () => {
    const directory = await directoryNamed(`damaged ${left}`)
    await damage(directory)
    await assert.rejects(startEmbeddedPostgres({ directory, logger, onCrash }), error => {
      assert.ok(isAssayError(error))
      assert.equal(error.code, 'damaged')
      assert.ok(error.publicMessage.includes(directory))
      assert.match(
        error.publicMessage,
        /files are damaged, or some are missing\. Restore the data directory from a backup\.$/,
      )
      return true
    })
    assert.equal(existsSync(`${directory}.socket`), false)
    await rm(directory, { recursive: true })
  })
}
