import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readMigrationsOf } from '../migrations.ts'
import { type AssayError, isAssayError } from '../runtime/errors.ts'
import { createLogger } from '../runtime/logger.ts'
import { createAnalytics } from './client.ts'
import { assertClickHouseMigrated, migrateClickHouse } from './migrate.ts'
import { dropDatabase, startTestAnalytics } from './testing.ts'

const logger = createLogger({ level: 'silent', program: 'test' })
const server = await startTestAnalytics()
const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'))
const connection = { ...server.connection, database: `${server.connection.database}_migrated` }
const analytics = createAnalytics(connection, { logger })
after(async () => {
  await analytics.close()
  await dropDatabase(connection)
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const write = (name: string, statements: string) => writeFile(join(folder, name), statements)
const migrate = () => migrateClickHouse(connection, { logger, folder: pathToFileURL(`${folder}/`) })
const isReady = async () => assertClickHouseMigrated(analytics, await readMigrationsOf(pathToFileURL(`${folder}/`)))
const failureOf = (work: Promise<unknown>): Promise<AssayError> =>
  work.then(
    () => assert.fail('it did not fail'),
    error => (isAssayError(error) ? error : assert.fail(String(error))),
  )
const applied = async () =>
  (await analytics.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name')).map(row => row.name)

test('a database that is not there is not ready', async () => {
  await write('0001_planets.sql', 'CREATE TABLE IF NOT EXISTS planets (name String) ENGINE = MergeTree ORDER BY name;')
  const { code, retriable, publicMessage } = await failureOf(isReady())
  assert.deepEqual([code, retriable], ['unavailable', true])
  assert.equal(publicMessage, 'The analytics database lacks the migration 0001_planets.sql. Run `assay migrate`.')
})

test('makes the database, runs several statements a file, and runs each file once', async () => {
  await write(
    '0001_planets.sql',
    `-- A comment; with a semicolon.
     CREATE TABLE IF NOT EXISTS planets (name String) ENGINE = MergeTree ORDER BY name;
     CREATE TABLE IF NOT EXISTS moons (name String) ENGINE = MergeTree ORDER BY name;
    `,
  )
  await write('0002_earth.sql', "INSERT INTO planets VALUES ('Earth; the third');")
  await migrate()
  await migrate()
  assert.deepEqual(await applied(), ['0001_planets.sql', '0002_earth.sql'])
  assert.deepEqual(await analytics.query('SELECT name FROM planets'), [{ name: 'Earth; the third' }])
  assert.deepEqual(await analytics.query('SELECT name FROM moons'), [])
})

test('goes on after a stop in the middle of a file', async () => {
  await write(
    '0003_stars.sql',
    'CREATE TABLE IF NOT EXISTS stars (name String) ENGINE = MergeTree ORDER BY name;\nSELECT no_such_column;',
  )
  await assert.rejects(migrate(), isAssayError)
  await write('0003_stars.sql', 'CREATE TABLE IF NOT EXISTS stars (name String) ENGINE = MergeTree ORDER BY name;')
  await migrate()
  assert.ok((await applied()).includes('0003_stars.sql'))
})

test('several that start at once come to the same', async () => {
  await write('0004_suns.sql', 'CREATE TABLE IF NOT EXISTS suns (name String) ENGINE = MergeTree ORDER BY name;')
  await write('0005_novae.sql', 'CREATE TABLE IF NOT EXISTS novae (name String) ENGINE = MergeTree ORDER BY name;')
  await Promise.all([migrate(), migrate(), migrate(), migrate()])
  await isReady()
  assert.deepEqual([...new Set(await applied())].slice(-2), ['0004_suns.sql', '0005_novae.sql'])
})

test('a newer database is ready for the version before, which leaves it as it is', async () => {
  await rm(join(folder, '0005_novae.sql'))
  await isReady()
  await migrate()
  assert.ok((await applied()).includes('0005_novae.sql'))
  await write('0005_novae.sql', 'CREATE TABLE IF NOT EXISTS novae (name String) ENGINE = MergeTree ORDER BY name;')
})

test('an applied file that was changed is refused by name', async () => {
  await write('0002_earth.sql', "INSERT INTO planets VALUES ('Mars');")
  await assert.rejects(
    migrate(),
    error => isAssayError(error) && error.code === 'conflict' && /0002_earth\.sql was changed/.test(error.message),
  )
  assert.deepEqual(await analytics.query('SELECT name FROM planets'), [{ name: 'Earth; the third' }])
  const { code, retriable } = await failureOf(isReady())
  assert.deepEqual([code, retriable], ['conflict', false])
})

test('a test database has this version’s own migrations', () => assertClickHouseMigrated(server.analytics))

test('every CREATE in the schema’s own files can be run again', async () => {
  const schemas = new URL('../../schemas/clickhouse/', import.meta.url)
  for (const name of (await readdir(schemas)).filter(file => file.endsWith('.sql'))) {
    const text = await readFile(new URL(name, schemas), 'utf8')
    for (const [statement] of text.matchAll(/^(CREATE|DROP|ALTER) .*$/gm))
      assert.match(statement, /IF (NOT )?EXISTS/, `${name}: ${statement}`)
  }
})
