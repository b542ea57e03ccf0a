import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isAssayError } from '../../runtime/errors.ts'
import { createLogger } from '../../runtime/logger.ts'
import { eventually } from '../../runtime/testing.ts'
import { describeWithStack } from '../../stack/testing.ts'
import { createDatabase } from '../database.ts'
import { assertPostgresMigrated, migratePostgres } from '../migrate.ts'
import { createPool } from '../pool.ts'

/**
 * What only a server has: several databases that share roles, users who may not do everything, and clients that die.
 */
await describeWithStack(['postgres'], stack => {
  const logger = createLogger({ level: 'silent', program: 'test' })
  const url = stack.urls.DATABASE_URL ?? ''
  const superuser = createPool({ connection: url, max: 1, logger })
  after(async () => {
    await superuser.end()
    await stack.stop()
  })

  const poolOf = (database: string, user?: string) => {
    const own = new URL(url)
    own.pathname = `/${database}`
    if (user !== undefined) own.username = own.password = user
    return createPool({ connection: own.href, max: 2, logger })
  }
  const forbidden = (words: RegExp) => (error: unknown) => {
    assert.ok(isAssayError(error) && error.code === 'forbidden', String(error))
    assert.match(error.publicMessage, words)
    return true
  }

  test('databases of one server that are migrated at the same moment come to share its roles', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    for (const name of names) await superuser.query(`create database ${name}`)
    const pools = names.map(name => poolOf(name))
    await Promise.all(pools.map(pool => migratePostgres(pool, { logger })))
    for (const pool of pools) {
      await assertPostgresMigrated(pool)
      await pool.end()
    }
  })

  test('an extension that somebody else creates at the same moment is found', async () => {
    await superuser.query('create database raced')
    const pool = poolOf('raced')
    const other = await pool.connect()
    await other.query('begin')
    await other.query('create extension vector')
    const migrating = migratePostgres(pool, { logger })
    await eventually('the migrator waits for it', async () => {
      const waiting = "select from pg_stat_activity where datname = 'raced' and wait_event_type = 'Lock'"
      return (await superuser.query(waiting)).rowCount === 1
    })
    await other.query('commit')
    other.release()
    await migrating
    await assertPostgresMigrated(pool)
    await pool.end()
  })

  test('a migrator that is killed in the middle leaves nothing of its migration, and the next one goes on at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-migrations-'))
    await superuser.query('create database killed')
    await writeFile(join(folder, '0001_planets.sql'), 'create table planets (name text);')
    await writeFile(join(folder, '0002_moons.sql'), 'create table moons (name text); select pg_sleep(600);')
    const door = new URL('../migrate.ts', import.meta.url)
    const program = `
      const { migratePostgres } = await import(${JSON.stringify(door.href)})
      const { createPool } = await import(${JSON.stringify(new URL('./pool.ts', door).href)})
      const { createLogger } = await import(${JSON.stringify(new URL('../runtime/logger.ts', door).href)})
      const logger = createLogger({ level: 'silent', program: 'test' })
      const pool = createPool({ connection: process.env.DATABASE_URL, max: 1, statementTimeoutMs: 600_000, logger })
      await migratePostgres(pool, { logger, folder: new URL(process.env.FOLDER) })`
    const env = {
      ...process.env,
      DATABASE_URL: url.replace(/[^/]*$/, 'killed'),
      FOLDER: pathToFileURL(`${folder}/`).href,
    }
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const child = spawn(process.execPath, flags, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    await eventually('it is in the middle', async () => {
      const { rowCount } = await superuser.query(
        `select from pg_stat_activity where datname = 'killed' and wait_event = 'PgSleep'`,
      )
      return rowCount === 1
    })
    child.kill('SIGKILL')
    await once(child, 'exit')

    await writeFile(join(folder, '0002_moons.sql'), 'create table moons (name text, planet text);')
    const pool = poolOf('killed')
    await migratePostgres(pool, { logger, folder: pathToFileURL(`${folder}/`) })
    assert.deepEqual((await pool.query('select name from schema_migrations order by name')).rows, [
      { name: '0001_planets.sql' },
      { name: '0002_moons.sql' },
    ])
    await pool.query('select planet from moons')
    await pool.end()
    await rm(folder, { recursive: true })
  })

  test('a user who is no superuser can migrate its own database, and is told what is missing until then', async () => {
    await superuser.query(`create role owner_of_it login password 'owner_of_it'`)
    await superuser.query('create database its_own owner owner_of_it')
    const pool = poolOf('its_own', 'owner_of_it')
    const migrate = () => migratePostgres(pool, { logger })
    const refused = await migrate().catch((error: unknown) => error)
    assert.ok(isAssayError(refused) && refused.code === 'forbidden')
    const [, granting] =
      /0001_roles\.sql: permission denied to grant role "assay_app"\..*`(grant .* with admin option)`/.exec(
        refused.publicMessage,
      ) ?? []
    assert.ok(granting, refused.publicMessage)
    await superuser.query(granting.replace('<user>', 'owner_of_it'))
    await assert.rejects(
      migrate(),
      forbidden(/permission denied to create extension "vector"\..*create extension vector/),
    )
    const inside = poolOf('its_own')
    await inside.query('create extension vector')
    await migrate()
    await assertPostgresMigrated(pool)
    await createDatabase(pool).transaction({ role: 'assay_edge' }, tx => tx.query('select id from sources'))
    await inside.end()
    await pool.end()
  })
  test('a database that cannot hold every text is refused, and one that knows the letters of English alone is complained of', async () => {
    await superuser.query(`create database latin template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`)
    const latin = poolOf('latin')
    await assert.rejects(
      migratePostgres(latin, { logger }),
      error =>
        isAssayError(error) && error.code === 'unsupported' && /LATIN1.*encoding 'UTF8'/.test(error.publicMessage),
    )
    await latin.end()

    await superuser.query(`create database english template template0 encoding 'UTF8' lc_ctype 'C'`)
    const english = poolOf('english')
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    await migratePostgres(english, { logger: createLogger({ level: 'warn', program: 'test', destination }) })
    assert.match(lines.join(''), /LC_CTYPE/)
    await english.end()
  })
})
