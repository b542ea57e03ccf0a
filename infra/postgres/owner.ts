import type pg from 'pg'
import { databaseError } from './errors.ts'
import { createPool, type PoolOptions } from './pool.ts'

/** Runs a statement; answers its rows. */
export type OwnerQuery = <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>

/** One connection as the user that owns the tables, for an operator's work on all of them. No role is taken on. */
export interface OwnedDatabase {
  readonly query: OwnerQuery
  /** Runs statements in one transaction, which is rolled back when `work` rejects. */
  transaction<T>(work: (query: OwnerQuery) => Promise<T>): Promise<T>
  /** What is open is rolled back. */
  close(): Promise<void>
}

/** What every text of a value depends on: it must be the same whoever reads it. */
const SAME_TEXTS = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1`

/** Connects when it is called. Rejects as the pool does. */
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
