import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { findMarkedWords, markOfWord } from './marks.ts'
import { TABLES_BY_SIGNAL, TABLES_WITH_WORDS, TREATMENTS } from './tables.ts'
import { canBeLookedFor, clickHousePattern, postgresPattern, scriptPattern, TABLES_LOOKED_THROUGH } from './words.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

const query = async <Row>(statement: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
  (await db.pool.query(statement, [...values])).rows

test('every table says what an erasure does with it, and every column of words is one that there is', async () => {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  assert.deepEqual(Object.keys(TREATMENTS).toSorted(), tables.map(({ name }) => name).toSorted())
  const columns = new Set(
    (
      await query<{ name: string }>(
        `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
      )
    ).map(({ name }) => name),
  )
  const named = [
    ...TABLES_LOOKED_THROUGH.flatMap(([table, { texts, json = [], lists = [] }]) =>
      [...Object.keys(texts), ...json, ...lists].map(column => `${table}.${column}`),
    ),
    ...TABLES_BY_SIGNAL.map(([table, column]) => `${table}.${column}`),
  ]
  assert.deepEqual(
    named.filter(name => !columns.has(name)),
    [],
  )
})

test('a text of people is looked through, whatever table it is in', async () => {
  const texts = await query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name in ('text', 'markdown', 'statement', 'summary', 'title', 'observation', 'description')`,
  )
  const through = new Map(TABLES_LOOKED_THROUGH.map(([table, { texts: columns }]) => [table, Object.keys(columns)]))
  for (const [table, { texts: columns }] of TABLES_WITH_WORDS) through.set(table, Object.keys(columns))
  assert.deepEqual(
    texts.filter(({ table, column }) => !(through.get(table) ?? []).includes(column)),
    [],
  )
})

test('a name is found as a name: in any case, over line ends, in JSON, and not within other words', async () => {
  const needles = { words: ['Åsa Li', 'a.b+c@example.com'] }
  const pattern = postgresPattern(needles)
  const inScript = scriptPattern(needles)
  const atClickHouse = clickHousePattern(needles)
  assert.ok(pattern && inScript && atClickHouse)
  for (const [text, isFound] of [
    ['Åsa Li says so', true],
    ['told by ÅSA\nLI.', true],
    ['Signed,\nÅsa Li', true],
    ['\tÅsa\u00a0Li\r\nBoards Ltd.', true],
    ['Åsa Linden', false],
    ['write to A.B+C@example.com!', true],
    ['za.b+c@example.com', false],
    ['a-b+c@example.com', false],
  ] as const) {
    const rows: readonly { found: boolean; inJson: boolean; masked: string; maskedJson: string }[] = await query(
      `select said ~* $2 as found, json ~* $2 as "inJson", regexp_replace(said, $2, '[ERASED]', 'gi') as masked,
         regexp_replace(json, $2, '[ERASED]', 'gi')::jsonb #>> '{}' as "maskedJson"
       from (select $1::text as said, to_jsonb($1::text)::text as json) as texts`,
      [text, pattern],
    )
    const [row] = rows
    assert.deepEqual([row?.found, row?.inJson, row?.maskedJson], [isFound, isFound, row?.masked], text)
    const json = JSON.stringify(text)
    assert.deepEqual([text.search(inScript) !== -1, json.search(inScript) !== -1], [isFound, isFound], text)
    assert.equal(JSON.parse(json.replace(inScript, '[ERASED]')), row?.masked)
  }
  assert.deepEqual(['Åsa', 'Li', 'null', '123', ' a '].map(canBeLookedFor), [true, false, false, false, false])
})

test('a mark finds its words again as they are written, and in JSON, which a dead letter is read as', () => {
  const pseudonym = (value: string) => `key of ${value}`
  const marks = new Set([
    markOfWord('word', 'Åsa Li', pseudonym) ?? '',
    markOfWord('address', 'Asa@example.com', pseudonym) ?? '',
  ])
  for (const text of ['Signed,\nÅsa Li\nasa@example.com', 'Åsa\tLi, ASA@EXAMPLE.COM', '\r\nåsa\nli: asa@example.com.'])
    for (const written of [text, JSON.stringify(text)]) {
      assert.equal(findMarkedWords('word', written, marks, pseudonym).length, 1, written)
      assert.equal(findMarkedWords('address', written, marks, pseudonym).length, 1, written)
    }
  assert.deepEqual(findMarkedWords('word', 'Åsa Linden', marks, pseudonym), [])
})
