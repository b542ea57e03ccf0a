import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { COLUMNS_WITHOUT_WORDS, NO_WORDS, TABLES_BY_SIGNAL, TREATMENTS } from './tables.ts'
import { findMarkedWords, markOfWord } from './tombstones.ts'
import {
  canBeLookedFor,
  clickHousePattern,
  columnsOf,
  postgresPattern,
  scriptPattern,
  TABLES_LOOKED_THROUGH,
} from './words.ts'

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

test('every column of text is looked through, or says why it has no words of a sender', async () => {
  const columns = await query<{ table: string; column: string }>(
    `select attrelid::regclass::text as table, attname as column from pg_attribute
     join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = 'public'::regnamespace
     where attnum > 0 and not attisdropped and atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'json'::regtype, 'varchar'::regtype)
       and not exists (select from pg_constraint where conrelid = attrelid and contype = 'c' and conkey = array[attnum]
         and pg_get_constraintdef(pg_constraint.oid) like '%= ANY (ARRAY[%')
     order by 1, 2`,
  )
  assert.ok(columns.length > 150)
  const through = new Map<string, readonly string[]>()
  for (const [table, words] of TABLES_LOOKED_THROUGH)
    through.set(table, [...(through.get(table) ?? []), ...columnsOf(words)])
  const excepted = new Set(Object.values(COLUMNS_WITHOUT_WORDS).flat())
  const isLookedThrough = (table: string, column: string) => through.get(table)?.includes(column) ?? false
  const open = columns.filter(({ table, column }) => {
    const treatment = TREATMENTS[table] ?? assert.fail(table)
    // What it says is of all its columns; one that says that there are no words has no column of text.
    if ('cleared' in treatment || ('kept' in treatment && treatment.kept !== NO_WORDS)) return false
    return !isLookedThrough(table, column) && !excepted.has(`${table}.${column}`)
  })
  assert.deepEqual(open, [])
  const all = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  assert.deepEqual(
    [...excepted].filter(name => !all.has(name) || isLookedThrough(...(name.split('.') as [string, string]))),
    [],
    'no exception without a column that needs it',
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
