import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createByteSearch } from '../../backup/byte-search.ts'
import { searchFiles } from '../../backup/search-files.ts'
import { createLogger } from '../../runtime/logger.ts'
import { createAnalytics } from '../client.ts'
import type { Analytics } from '../port.ts'
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './index.ts'

/** One engine a process: the data directory that a killed writer leaves is what every test here runs on. */
const logger = createLogger({ level: 'silent', program: 'test' })
const directory = await mkdtemp(join(tmpdir(), 'assay-clickhouse-'))
let embedded: EmbeddedClickHouse
let analytics: Analytics
let answered = 0

/** Runs the writer until it has said some blocks, then kills it while it writes on. */
const killAWriter = async (): Promise<number> => {
  const program = new URL('./testing-writer.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let blocks = 0
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    blocks += chunk.split('\n').length - 1
    if (blocks >= 20) child.kill('SIGKILL')
  })
  await once(child, 'close')
  return blocks
}

before(async () => {
  answered = await killAWriter()
  embedded = await startEmbeddedClickHouse({ directory, logger })
  analytics = createAnalytics({ ...embedded, database: 'default' }, { logger })
})
after(async () => {
  await analytics.close()
  await embedded.stop()
  await rm(directory, { recursive: true, force: true })
})

const authorization = () => `Basic ${Buffer.from(`${embedded.username}:${embedded.password}`).toString('base64')}`

test('after a kill in the middle of inserting, every block that was answered is there, and each is whole', async () => {
  assert.ok(answered >= 20)
  const blocks = await analytics.query<{ block: number; rows: number }>(
    'SELECT block, count() AS rows FROM written GROUP BY block ORDER BY block',
  )
  assert.ok(blocks.length >= answered, `${blocks.length} of ${answered} are there`)
  assert.deepEqual([...new Set(blocks.map(({ rows }) => rows))], [1000])
})

test('a block from before the kill that is sent again is still known by its token', async () => {
  await analytics.insert('written', [{ block: 1, n: 0 }], 'block 1')
  assert.deepEqual(await analytics.query('SELECT count() AS rows FROM written WHERE block = 1'), [{ rows: 1000 }])
})

test('ping answers without a password, and nothing else does', async () => {
  assert.equal(await (await fetch(`${embedded.url}/ping`)).text(), 'Ok.\n')
  for (const headers of [
    {},
    { authorization: 'Basic bm9ib2R5Og==' },
    { 'x-clickhouse-user': 'assay', 'x-clickhouse-key': 'guess' },
  ]) {
    const response = await fetch(`${embedded.url}/?query=SELECT%201`, { headers })
    assert.equal(response.status, 403)
    assert.equal(response.headers.get('x-clickhouse-exception-code'), '516')
  }
})

test('takes the password in either of ClickHouse’s two ways', async () => {
  const own = { 'x-clickhouse-user': embedded.username, 'x-clickhouse-key': embedded.password }
  for (const headers of [own, { authorization: authorization() }])
    assert.equal(await (await fetch(`${embedded.url}/?query=SELECT%201`, { headers })).text(), '1\n')
})

const post = (path: string, body: string) =>
  fetch(`${embedded.url}${path}`, { method: 'POST', body, headers: { authorization: authorization() } })

test('the statement may be in the URL, in the body, or begin in one and end in the other', async () => {
  assert.equal(await (await post('/', 'SELECT 2 FORMAT CSV')).text(), '2\n')
  assert.equal(await (await post(`/?query=${encodeURIComponent('SELECT 1 +')}`, '2')).text(), '3\n')
})

test('a parameter cannot become part of the statement', async () => {
  const value = encodeURIComponent("x'; SELECT 'broken out")
  assert.equal(
    await (await post(`/?param_p=${value}`, 'SELECT {p:String} FORMAT CSV')).text(),
    `"x'; SELECT 'broken out"\n`,
  )
})

test('the name of a setting cannot become a statement', async () => {
  const response = await post(
    `/?${encodeURIComponent('max_threads = 1; DROP TABLE written; SET max_threads')}=1`,
    'SELECT 1',
  )
  assert.equal(response.status, 400)
  assert.match(await response.text(), /is not the name of a setting/)
})

test('an error comes with its code in the header, and with the text that clients take apart', async () => {
  const response = await post('/', 'SELEC 1')
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('x-clickhouse-exception-code'), '62')
  assert.match(await response.text(), /^Code: 62\. DB::Exception: .*\(SYNTAX_ERROR\)\s*$/)
})

test('an unknown setting is an error, not ignored', async () => {
  assert.equal((await post('/?no_such_setting=1', 'SELECT 1')).headers.get('x-clickhouse-exception-code'), '115')
})

test('only the loopback interface is listened on', () => {
  assert.equal(new URL(embedded.url).hostname, '127.0.0.1')
})

test('what a mutation has replaced is gone from the files once the engine was told to forget it', async () => {
  const mark = 'zwirbelkasten'
  const statement = `CREATE TABLE said (n UInt32, text String CODEC(NONE)) ENGINE = MergeTree ORDER BY n`
  await fetch(embedded.url, { method: 'POST', headers: { authorization: authorization() }, body: statement })
  await analytics.insert(
    'said',
    [
      { n: 1, text: `${mark} one` },
      { n: 2, text: 'another' },
    ],
    'a block',
  )
  await analytics.remove('said', `startsWith(text, {mark: String})`, { mark })
  const found = async () => {
    const files = await searchFiles(directory, createByteSearch([Buffer.from(mark)]))
    return [...files.values()].reduce((sum, [count = 0]) => sum + count, 0)
  }
  assert.ok((await found()) > 0)
  await embedded.forget()
  assert.equal(await found(), 0)
  assert.deepEqual(await analytics.query('SELECT n FROM said'), [{ n: 2 }])
})

test('stopping waits for what is under way, and frees the directory for the next start', async () => {
  const slow = analytics.query<{ counted: number }>(
    'SELECT count() AS counted FROM numbers(20000000) WHERE sipHash64(number) % 3 = 0',
  )
  // Not before the server has it.
  await analytics.ping()
  await embedded.stop()
  const [row] = await slow
  assert.ok(row && row.counted > 0)
  embedded = await startEmbeddedClickHouse({ directory, logger })
  await analytics.close()
  analytics = createAnalytics({ ...embedded, database: 'default' }, { logger })
  assert.deepEqual(await analytics.query('SELECT count() AS rows FROM written WHERE block = 1'), [{ rows: 1000 }])
})

test('a stop waits for the freezing of a backup, and leaves nothing that says the engine is open', async () => {
  const before = await analytics.query<{ name: string }>("select name from system.tables where database = 'default'")
  assert.ok(before.length > 0)
  const freezing = embedded.freeze('stopped').then(
    () => 'done',
    () => 'given up',
  )
  await embedded.stop()
  const ended = await Promise.race([freezing, Promise.resolve('it still runs')])
  assert.notEqual(ended, 'it still runs')
  assert.ok(
    !existsSync(join(directory, 'status')),
    'what the engine has while it is open would be missing at the next start',
  )
})
