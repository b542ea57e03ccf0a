import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type AssayError, isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { migratePostgres, readMigrations } from './migrate.ts'
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
const applied = async () =>
  (await db.pool.query('select name from schema_migrations order by name')).rows.map(row => row.name)

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
  await assert.rejects(migrate())
  assert.deepEqual(await applied(), ['0001_planets.sql'])
  assert.equal((await db.pool.query("select to_regclass('moons') as moons")).rows[0].moons, null)
  await write('0002_moons.sql', 'create table moons (name text);')
  await migrate()
  assert.deepEqual(await applied(), ['0001_planets.sql', '0002_moons.sql'])
})

const refusal = async (): Promise<AssayError> => {
  const error = await migrate().catch(reason => reason)
  assert.ok(isAssayError(error) && error.code === 'conflict', String(error))
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

test('a database of a newer version is refused', async () => {
  await migrate()
  await rm(join(folder, '0002_moons.sql'))
  assert.match((await refusal()).message, /0002_moons\.sql.*newer version/)
})

test('the schema’s own migrations have a number each', async () => {
  const names = (await readMigrations()).map(migration => migration.name.slice(0, 4))
  assert.deepEqual(
    names,
    names.map((_, index) => String(index + 1).padStart(4, '0')),
  )
})
