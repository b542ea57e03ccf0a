import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { createAnalytics, createClickHouseClient } from './client.ts'
import { startTestAnalytics } from './testing.ts'

const logger = createLogger({ level: 'silent', program: 'test' })
const { analytics, connection, stop } = await startTestAnalytics()
const driver = createClickHouseClient(connection, logger)
after(async () => {
  await driver.close()
  await stop()
})

const failing = (code: string) => (error: unknown) => isAssayError(error) && error.code === code

test('parameters of every kind arrive as they were given, whatever characters they hold', async () => {
  const parameters = {
    text: "tab\t, quote ', backslash \\, newline\n, ünïcode, {text: String}; DROP TABLE activity",
    list: ["it's", 'a\tb', ''],
    nothing: null,
    many: 12,
  }
  const rows = await analytics.query(
    'SELECT {text: String} AS text, {list: Array(String)} AS list, {nothing: Nullable(String)} AS nothing, {many: UInt32} AS many',
    parameters,
  )
  assert.deepEqual(rows, [parameters])
})

test('a parameter longer than a URL usually is arrives whole', async () => {
  const text = 'é'.repeat(40_000)
  assert.deepEqual(await analytics.query('SELECT {text: String} AS text', { text }), [{ text }])
})

/** The places of 200,000 signals in parts, as `model/activity/signal-places.ts` sends them, and filters of quotes. */
test('parameters of megabytes arrive whole, each as long as a server takes', async () => {
  const parts = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`part_${place}`, 'x'.repeat(100_000)]))
  const list = Array.from({ length: 80 }, () => "'".repeat(250))
  const names = Object.keys(parts).map(part => `{${part}: String}`)
  const rows = await analytics.query(
    `SELECT length(concat('', ${names.join(', ')})) AS characters, length(arrayStringConcat({list: Array(String)})) AS quotes`,
    { ...parts, list },
  )
  assert.deepEqual(rows, [{ characters: 3_000_000, quotes: 20_000 }])
})

test('64-bit integers are numbers where that is exact, and text beyond', async () => {
  const rows = await analytics.query(
    "SELECT count() AS counted, toUInt64(18446744073709551615) AS huge, toNullable(toInt64(-5)) AS small, '7' AS text",
  )
  assert.deepEqual(rows, [{ counted: 1, huge: '18446744073709551615', small: -5, text: '7' }])
})

test('times go in and come out as ISO 8601', async () => {
  await driver.command({ query: "CREATE TABLE times (at DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY at" })
  await analytics.insert('times', [{ at: '2024-02-29T12:34:56.789+02:00' }], 'one')
  assert.deepEqual(await analytics.query('SELECT at FROM times'), [{ at: '2024-02-29T10:34:56.789Z' }])
})

test('a block that is sent again under its token counts once, in the table and behind its materialized view', async () => {
  await driver.command({
    query:
      'CREATE TABLE blocks (name String) ENGINE = MergeTree ORDER BY name SETTINGS non_replicated_deduplication_window = 100',
  })
  await driver.command({
    query:
      'CREATE TABLE block_counts (name String, seen UInt64) ENGINE = SummingMergeTree ORDER BY name SETTINGS non_replicated_deduplication_window = 100',
  })
  await driver.command({
    query:
      'CREATE MATERIALIZED VIEW count_blocks TO block_counts AS SELECT name, count() AS seen FROM blocks GROUP BY name',
  })
  const counts = async () => {
    const [row] = await analytics.query(
      'SELECT (SELECT count() FROM blocks) AS rows, (SELECT sum(seen) FROM block_counts) AS behind_the_view',
    )
    return row
  }
  const rows = [{ name: 'first' }, { name: 'second' }]

  await analytics.insert('blocks', rows, 'token-1')
  await analytics.insert('blocks', rows, 'token-1')
  assert.deepEqual(await counts(), { rows: 2, behind_the_view: 2 })

  await analytics.insert('blocks', rows, 'token-2')
  assert.deepEqual(await counts(), { rows: 4, behind_the_view: 4 })
})

test('settings of one request are gone in the next', async () => {
  await driver.query({
    query: 'SELECT 1',
    clickhouse_settings: { max_threads: 1, insert_deduplication_token: 'left behind' },
  })
  const [row] = await analytics.query("SELECT getSetting('insert_deduplication_token') AS token")
  assert.deepEqual(row, { token: '' })
})

test('an insert of nothing does nothing', async () => {
  await analytics.insert('activity', [], 'nothing')
  assert.deepEqual(await analytics.query('SELECT count() AS rows FROM activity'), [{ rows: 0 }])
})

test('an unknown field in a row is refused, not dropped', async () => {
  await assert.rejects(analytics.insert('activity', [{ no_such_column: 1 }], 'unknown'), failing('internal'))
})

test('a wrong statement is an internal error whose cause has the code of ClickHouse and whose message says nothing of it', async () => {
  await assert.rejects(analytics.query('SELECT * FROM no_such_table'), error => {
    assert.ok(isAssayError(error) && error.cause instanceof Error && 'code' in error.cause)
    assert.equal(error.cause.code, '60')
    assert.doesNotMatch(error.publicMessage, /no_such_table/)
    return error.code === 'internal'
  })
})

test('many queries at once each get their own answer', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index)
  const answers = await Promise.all(
    numbers.map(number => analytics.query('SELECT {number: UInt32} AS number', { number })),
  )
  assert.deepEqual(
    answers,
    numbers.map(number => [{ number }]),
  )
})

test('a wrong password is refused in words, and waited for like a server that is away', async () => {
  const stranger = createAnalytics({ ...connection, password: 'wrong' }, { logger })
  await assert.rejects(stranger.query('SELECT 1'), failing('unavailable'))
  await assert.rejects(stranger.query('SELECT 1'), /refuses the user or the password/)
  await stranger.close()
})

test('an address where nothing answers is unavailable, and worth trying again', async () => {
  const away = createAnalytics({ ...connection, url: 'http://127.0.0.1:1' }, { logger })
  await assert.rejects(
    away.query('SELECT 1'),
    error => isAssayError(error) && error.code === 'unavailable' && error.retriable,
  )
  await assert.rejects(away.insert('activity', [{ kind: 'test' }], 'token'), failing('unavailable'))
  await assert.rejects(away.ping(), failing('unavailable'))
  await away.close()
})
