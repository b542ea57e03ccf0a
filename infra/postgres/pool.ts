import pg from 'pg'
import type { ConfigSchema } from '../runtime/config.ts'
import { logged } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { url } from '../runtime/settings.ts'
import { databaseError } from './errors.ts'
import { APPLICATION_NAMES, type Priority } from './port.ts'

/** How separately running programs reach the database. */
export const POSTGRES_CONFIG = {
  databaseUrl: url({
    env: 'DATABASE_URL',
    schemes: ['postgres', 'postgresql'],
    doc: 'The PostgreSQL database, with pgvector: postgres://user:password@host:5432/assay. `assay migrate` needs a user that may create roles.',
  }),
} satisfies ConfigSchema

/** How `pg` reaches a server: a URL, or settings as the embedded engine gives them. */
export type PostgresConnection = string | pg.ClientConfig

interface PoolOptions {
  readonly connection: PostgresConnection
  /** Maximum of connections. */
  readonly max: number
  /** Priority on the embedded engine, which has one session; `people` unless given. */
  readonly priority?: Priority
  /**
   * Statement limit, ms; a longer statement fails with `timeout`. Default: the connection's `statement_timeout`, else
   * 30 s.
   */
  readonly statementTimeoutMs?: number
  readonly logger: Logger
}

const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000
/** The client's additional wait, ms, for a server that does not answer at all. */
const CLIENT_GRACE_MS = 1_000

const ownLimit = (connection: PostgresConnection): number | undefined =>
  typeof connection === 'object' && typeof connection.statement_timeout === 'number'
    ? connection.statement_timeout
    : undefined

const INT8 = 20
const DATE = 1082

const parseInt8 = (text: string): number | string => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

const ownParsers = new Map<number, (text: string) => unknown>([
  [INT8, parseInt8],
  // pg turns a date into midnight of the local zone, which is another day elsewhere.
  [DATE, text => text],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') => {
    const own = format === 'binary' ? undefined : ownParsers.get(id)
    return own ?? pg.types.getTypeParser(id, format)
  },
}

/**
 * Writes the modes that `pg` treats as `verify-full` as that: otherwise pg prints a long warning past the log that its
 * next version will check less.
 */
const withCheckedCertificate = (url: string): string =>
  /[?&]uselibpqcompat=true(?=&|$)/.test(url)
    ? url
    : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')

/**
 * A pool of connections. `timestamptz` reads as Date, `int8` as number where exact (else text), `date`, `numeric` and
 * vectors as text, arrays as arrays. Statements are unnamed, since connections to the embedded engine share a session.
 */
export const createPool = ({
  connection,
  max,
  priority = 'people',
  statementTimeoutMs,
  logger,
}: PoolOptions): pg.Pool => {
  const limit = statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: withCheckedCertificate(connection) } : connection),
    max,
    types,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs ?? ownLimit(connection) ?? limit,
    query_timeout: limit + CLIENT_GRACE_MS,
    idle_in_transaction_session_timeout: limit,
    application_name: APPLICATION_NAMES[priority],
    keepAlive: true,
    // Concurrent statements are sent at once and answered in order.
    pipeline: true,
  })
  // The pool listens only to idle connections: the loss of another would end the process.
  pool.on('connect', client =>
    client.on('error', error => logger.debug({ err: error }, 'a database connection was lost')),
  )
  pool.on('error', error => logger.warn(logged(databaseError(error)), 'an idle database connection was lost'))
  return pool
}

/** Runs a statement and returns its rows. */
export type OwnerQuery = <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>

/** One connection as the owner of the tables, without taking on a role, for an operator's work. */
export interface OwnedDatabase {
  readonly query: OwnerQuery
  /** Runs statements in one transaction, rolled back when `work` rejects. */
  transaction<T>(work: (query: OwnerQuery) => Promise<T>): Promise<T>
  /** Rolls back what is open, and disconnects. */
  close(): Promise<void>
}

/** Settings that determine the text of values, equal for every reader. */
const SAME_TEXTS = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1`

/** Connects at once. Rejects as the pool does. */
export const openOwned = async (options: Omit<PoolOptions, 'max'>): Promise<OwnedDatabase> => {
  const pool = createPool({ ...options, max: 1 })
  const translated = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw databaseError(error)
    }
  }
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect()
    await client.query(SAME_TEXTS)
    return client
  }
  const client = await translated(connect).catch(async error => {
    await pool.end()
    throw error
  })
  const query: OwnerQuery = <Row extends object>(statement: string, values: readonly unknown[] = []) =>
    translated(async () => (await client.query<Row & pg.QueryResultRow>(statement, [...values])).rows)
  return {
    query,
    async transaction(work) {
      await query('begin')
      try {
        const result = await work(query)
        await query('commit')
        return result
      } catch (error) {
        await query('rollback').catch(() => {})
        throw error
      }
    },
    async close() {
      client.release(true)
      await pool.end()
    },
  }
}
