import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type AssayError, isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { assertPostgresMigrated, migratePostgres, readMigrations } from './migrate.ts'
import { startTestDatabase } from './testing.ts'

const logger = createLogger({ level: 'silent', program: 'test' })
const db = await startTestDatabase()
const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'))
after(async () => {
  await db.stop()
  await rm(folder, { recursive: true, force: true })
})

const write = (name: string, statements: string) => writeFile(join(folder, name), statements)
const migrate = () => migratePostgres(db.pool, { logger, folder: pathToFileURL(`${folder}/`) })
const isReady = async () => assertPostgresMigrated(db.pool, await readMigrations(pathToFileURL(`${folder}/`)))
const applied = async () =>
  (await db.pool.query('select name from schema_migrations order by name')).rows.map(row => row.name)

const failureOf = (work: Promise<unknown>): Promise<AssayError> =>
  work.then(
    () => assert.fail('it did not fail'),
    error => (isAssayError(error) ? error : assert.fail(String(error))),
  )

beforeEach(async () => {
  await db.pool.query('truncate schema_migrations; drop table if exists planets, moons')
  await write('0001_planets.sql', 'create table planets (name text); insert into planets values ($$Earth$$);')
  await write('0002_moons.sql', 'create table moons (name text);')
})

test('runs what is missing, in order, once', async () => {
  await migrate()
  await migrate()
  assert.deepEqual(await applied(), ['0001_planets.sql', '0002_moons.sql'])
  assert.equal((await db.pool.query('select * from planets')).rowCount, 1)
})

test('several that start at once apply each migration once', async () => {
  await Promise.all([migrate(), migrate(), migrate(), migrate()])
  assert.equal((await db.pool.query('select * from planets')).rowCount, 1)
})

test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
  await write('0002_moons.sql', 'create table moons (name text); select no_such_column;')
  const { publicMessage } = await failureOf(migrate())
  assert.match(publicMessage, /0002_moons\.sql failed: .*no_such_column/)
  assert.deepEqual(await applied(), ['0001_planets.sql'])
  assert.equal((await db.pool.query("select to_regclass('moons') as moons")).rows[0].moons, null)
  await write('0002_moons.sql', 'create table moons (name text);')
  await migrate()
  assert.deepEqual(await applied(), ['0001_planets.sql', '0002_moons.sql'])
})

const refusal = async (): Promise<AssayError> => {
  const error = await failureOf(migrate())
  assert.equal(error.code, 'conflict')
  return error
}

test('an applied migration that was changed is refused by name, and nothing runs', async () => {
  await migrate()
  await write('0001_planets.sql', 'create table planets (name text, size integer);')
  await write('0003_stars.sql', 'create table stars (name text);')
  assert.match((await refusal()).message, /0001_planets\.sql was changed/)
  await rm(join(folder, '0003_stars.sql'))
  assert.deepEqual(await applied(), ['0001_planets.sql', '0002_moons.sql'])
})

test('a database of a newer version stays as it is, and it is said which of its migrations are newer', async () => {
  await migrate()
  await rm(join(folder, '0002_moons.sql'))
  assert.deepEqual(await migrate(), ['0002_moons.sql'])
  assert.deepEqual(await applied(), ['0001_planets.sql', '0002_moons.sql'])
})

test('a database of another line of versions is refused', async () => {
  await migrate()
  await rm(join(folder, '0002_moons.sql'))
  await write('0003_stars.sql', 'create table stars (name text);')
  assert.match((await refusal()).message, /lacks the migration 0003_stars\.sql and has 0002_moons\.sql/)
  await rm(join(folder, '0003_stars.sql'))
})

test('what took away what a version works with stops that version, and not the one before it', async () => {
  await migrate()
  const contracting =
    '-- Contracts: works with programs that know 0002_moons.sql.\nalter table planets drop column name;'
  await write('0003_no_names.sql', contracting)
  await migrate()
  await rm(join(folder, '0003_no_names.sql'))
  assert.deepEqual(await migrate(), ['0003_no_names.sql'])
  await isReady()
  await rm(join(folder, '0002_moons.sql'))
  assert.match(
    (await refusal()).message,
    /0003_no_names\.sql, which took away .* Start a version that knows 0002_moons/,
  )
  await assert.rejects(isReady(), { code: 'conflict' })
})

test('a database that lacks migrations is not ready, and says which and what to do', async () => {
  await migrate()
  await isReady()
  await write('0003_stars.sql', 'create table stars (name text);')
  const one = await failureOf(isReady())
  assert.deepEqual([one.code, one.retriable], ['unavailable', true])
  assert.equal(one.publicMessage, 'The database lacks the migration 0003_stars.sql. Run `assay migrate`.')
  await db.pool.query('truncate schema_migrations')
  const all = await failureOf(isReady())
  await rm(join(folder, '0003_stars.sql'))
  assert.match(all.publicMessage, /lacks the migrations 0001_planets\.sql, 0002_moons\.sql, 0003_stars\.sql\./)
})

test('a database that nobody has migrated is not ready either', async () => {
  await db.pool.query('alter table schema_migrations rename to elsewhere')
  const { code, retriable } = await failureOf(isReady())
  await db.pool.query('alter table elsewhere rename to schema_migrations')
  assert.deepEqual([code, retriable], ['unavailable', true])
})

test('a newer database is ready for the version before', async () => {
  await migrate()
  await rm(join(folder, '0002_moons.sql'))
  await isReady()
})

test('a database is never ready for a migration that was changed', async () => {
  await migrate()
  await write('0001_planets.sql', 'create table planets (name text, size integer);')
  const { code, retriable } = await failureOf(isReady())
  assert.deepEqual([code, retriable], ['conflict', false])
})

test('what the user may not do is refused with what it needs', async () => {
  await write('0002_moons.sql', "do $$ begin raise exception 'no, not you' using errcode = '42501'; end $$;")
  const { code, publicMessage } = await failureOf(migrate())
  assert.equal(code, 'forbidden')
  assert.match(
    publicMessage,
    /refuses the migration 0002_moons\.sql: no, not you\..*createrole.*create extension vector/,
  )
})

test('a test database has this version’s own migrations', async () => {
  const fresh = await startTestDatabase()
  await assertPostgresMigrated(fresh.pool)
  await fresh.stop()
})

test('every file of the schema is a migration, with a number of its own', async () => {
  const names = (await readMigrations()).map(migration => migration.name)
  assert.deepEqual((await readdir(new URL('../../schemas/postgres/', import.meta.url))).sort(), names)
  assert.deepEqual(
    names.map(name => name.slice(0, 4)),
    names.map((_, index) => String(index + 1).padStart(4, '0')),
  )
})
