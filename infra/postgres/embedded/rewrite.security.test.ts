import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { createByteSearch } from '../../backup/byte-search.ts'
import { searchFiles } from '../../backup/search-files.ts'
import { createPool } from '../pool.ts'
import { prepareDirectoryForTests, silentLogger } from '../testing-embedded.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts'

/** What stands in every column of every table, and in nothing else. */
const MARK = 'zwirbelkasten'
const ROWS = 30

let parent: string
let directory: string
let postgres: EmbeddedPostgres
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'assay-rewrite-'))
  directory = join(parent, 'postgres')
  await prepareDirectoryForTests(directory)
  postgres = await start()
})
after(async () => {
  await postgres.stop()
  await rm(parent, { recursive: true, force: true })
})

const start = () =>
  startEmbeddedPostgres({
    directory,
    logger: silentLogger,
    onCrash: error => {
      throw error
    },
  })

const asOwner = async <T>(
  work: (query: <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>) => Promise<T>,
): Promise<T> => {
  const pool = createPool({
    connection: postgres.connection,
    max: 1,
    logger: silentLogger,
    statementTimeoutMs: 120_000,
  })
  try {
    return await work(
      async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
        (await pool.query<Row & Record<string, unknown>>(statement, [...values])).rows,
    )
  } finally {
    await pool.end()
  }
}

const found = async (): Promise<number> => {
  const files = await searchFiles(parent, createByteSearch([Buffer.from(MARK)]))
  return [...files.values()].reduce((sum, [count = 0]) => sum + count, 0)
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** An entry of an index has no room for a long value. */
  readonly is_indexed: boolean
}

const COLUMNS = `
  select quote_ident(relname) as table, quote_ident(attname) as name, format_type(atttypid, null) as type,
    exists (
      select from pg_depend join pg_class as indexes on indexes.oid = objid and indexes.relkind = 'i'
      where refclassid = 'pg_class'::regclass and refobjid = attrelid and refobjsubid = attnum
      union all select from pg_index where indrelid = attrelid and attnum = any (indkey)) as is_indexed
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    and attgenerated = '' and attidentity <> 'a'
  order by relname, attnum`

/** Rules of a table are about what a program may write; here anything stands anywhere. */
const RULES = `
  select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
  where contype in ('c', 'f') and connamespace = 'public'::regnamespace order by contype desc`

/**
 * A value of each type in row number \`row\`: texts have the mark, every tenth one in a value that is so long that it
 * has pages of its own.
 */
const LONG = ` || case when row % 10 = 0 then $1 else '' end`
const TEXT = `('${MARK} ' || row${LONG})`
const VALUES: Readonly<Record<string, string>> = {
  text: TEXT,
  'text[]': `array[${TEXT}]`,
  jsonb: `jsonb_build_object('said', ${TEXT}, '${MARK}', row)`,
  bytea: `convert_to(${TEXT}, 'UTF8')`,
  uuid: 'gen_random_uuid()',
  'uuid[]': 'array[gen_random_uuid()]',
  smallint: 'row::smallint',
  integer: 'row',
  'integer[]': 'array[row]',
  'real[]': 'array[row]',
  'bigint[]': 'array[row]',
  bigint: 'row',
  real: 'row',
  'double precision': 'row',
  numeric: 'row',
  boolean: 'true',
  date: `current_date + row`,
  'timestamp with time zone': `now() + row * interval '1 day'`,
  'timestamp without time zone': `now() + row * interval '1 day'`,
  xid8: `row::text::xid8`,
  vector: `('[' || row || repeat(',1', 1023) || ']')::vector`,
  halfvec: `('[1' || repeat(',1', 1023) || ']')::halfvec`,
}

/** Each table gets rows in which every column of text, JSON and bytes has the mark; answers how many these are. */
const fill = (): Promise<number> =>
  asOwner(async query => {
    for (const { table, name } of await query<Column>(RULES))
      await query(`alter table ${table} drop constraint ${name}`)
    await query('set session_replication_role = replica')
    const columns = await query<Column>(COLUMNS)
    for (const [table, own] of Map.groupBy(columns, column => column.table)) {
      const values = own.map(({ name, type, is_indexed }) => {
        const value = VALUES[type] ?? assert.fail(`${table}.${name} is of the type ${type}`)
        return is_indexed ? value.replaceAll(LONG, '') : value
      })
      const names = own.map(({ name }) => name).join(', ')
      const rows = own.some(({ name }) => name === 'only_row') ? 1 : ROWS
      const used = values.some(value => value.includes('$1')) ? '' : ', $1::text as unused'
      await query(
        `insert into ${table} (${names}) select ${values.join(', ')} from (select row${used} from generate_series(1, ${rows}) as row) as given
         on conflict do nothing`,
        [randomBytes(6000).toString('hex')],
      )
      await query(`analyze ${table}`)
    }
    await query('set session_replication_role = origin')
    return columns.filter(({ type }) => VALUES[type]?.includes(MARK)).length
  })

const empty = () =>
  asOwner(async query => {
    await query('set session_replication_role = replica')
    const tables = await query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'schema_migrations'`,
    )
    for (const { name } of tables) await query(`delete from ${name}`)
    await query(`delete from schema_migrations where name like '%${MARK}%'`)
    await query('set session_replication_role = origin')
    for (const { name } of tables) await query(`vacuum (analyze) ${name}`)
    await query('checkpoint')
  })

test('What was deleted from any column of any table stays in the files, and is in none once they are written anew', async () => {
  const columns = await fill()
  assert.ok(columns > 150, `${columns} columns`)
  await empty()
  const before = await found()
  assert.ok(before > 1000, `${before} places`)
  await postgres.rewrite()
  assert.equal(await found(), 0)
})

test('A backup of before keeps its log: files are not written anew while it is made', async () => {
  const release = await postgres.holdCheckpoints()
  await assert.rejects(postgres.rewrite(), { code: 'unavailable', message: /a backup is being made/ })
  release()
  await postgres.rewrite()
})

test('A file that a kill in the middle of a rewrite has left goes with the next start, and no other does', async () => {
  const [{ path } = assert.fail()] = await asOwner(async query => {
    await query('create table rewritten (said text)')
    await query(`insert into rewritten values ('${MARK}')`)
    await query('checkpoint')
    return query<{ path: string }>(`select pg_relation_filepath('rewritten') as path`)
  })
  const folder = join(directory, dirname(path))
  const left = ['4000000000', '4000000000.1', '4000000000_vm']
  for (const name of left) await cp(join(directory, path), join(folder, name))
  await asOwner(query => query('drop table rewritten'))
  await postgres.rewrite()
  assert.equal(await found(), left.length)
  const own = (await readdir(folder)).filter(name => !left.includes(name))
  await postgres.stop()
  postgres = await start()
  assert.equal(await found(), 0)
  const kept = new Set(await readdir(folder))
  assert.deepEqual(
    own.filter(name => !kept.has(name)),
    [],
  )
  await asOwner(query => query('select count(*) from signals'))
})
