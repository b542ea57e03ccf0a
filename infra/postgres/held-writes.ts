import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { Transaction } from './port.ts'

/** A right to write, while some work runs. */
export interface Hold {
  /** Locks the rows that grant the right until the transaction ends; false when the right is gone. */
  readonly holds: (transaction: Transaction) => Promise<boolean>
  /** Runs after each write, in its transaction: adapts to changes that the write made to these rows. */
  readonly written: (transaction: Transaction) => Promise<void>
  /** The error that refuses a write. */
  readonly refusal: () => Error
}

interface Held extends Hold {
  isRefused: boolean
  isReleased: boolean
}

const WRITES = /^\s*(insert|update|delete)\b/i
const BEGINS = /^\s*(begin|start transaction)\b/i
const ENDS = /^\s*(commit|rollback)\s*$/i

type Query = pg.PoolClient['query']

/**
 * A pool for a library that first checks a right and later writes by itself. While work runs under a hold, each write
 * shares a transaction with the lock on the rows that grant the right: it is either written before the right ends, or
 * never.
 */
export const holdWrites = (pool: pg.Pool) => {
  const holds = new AsyncLocalStorage<Held>()

  const held = (client: pg.PoolClient): Pick<pg.PoolClient, 'query' | 'release'> => {
    let isOpen = false
    const transaction: Transaction = {
      query: async <Row extends object>(statement: string, values: readonly unknown[] = []) =>
        (await client.query<Row & Record<string, unknown>>(statement, [...values])).rows,
    }
    const write = async (hold: Held, values: Parameters<Query>) => {
      if (!(await hold.holds(transaction))) {
        hold.isRefused = true
        throw hold.refusal()
      }
      const result = await client.query(...values)
      await hold.written(transaction)
      return result
    }
    const inTransaction = async <T>(work: () => Promise<T>): Promise<T> => {
      await client.query('begin')
      try {
        const result = await work()
        await client.query('commit')
        return result
      } catch (error) {
        // A lost connection has no transaction: the first error says why.
        await client.query('rollback').catch(() => {})
        throw error
      }
    }
    const query = async (...values: Parameters<Query>) => {
      const statement = String(values[0])
      if (BEGINS.test(statement)) isOpen = true
      if (ENDS.test(statement)) isOpen = false
      const hold = holds.getStore()
      if (hold === undefined || hold.isReleased || !WRITES.test(statement)) return client.query(...values)
      return isOpen ? write(hold, values) : inTransaction(() => write(hold, values))
    }
    // The library awaits its queries, and uses no other form of pg's method.
    return { query: query as Query, release: lost => client.release(lost) }
  }

  return {
    /** The current hold, for writes through another pool; undefined without one. */
    current: (): Hold | undefined => holds.getStore(),
    /** Ends the hold, when a write deleted the rows that grant the right: later writes could not lock them. */
    release: (): void => {
      const hold = holds.getStore()
      if (hold !== undefined) hold.isReleased = true
    },
    // The only members of a pool that the library uses.
    pool: { connect: async () => held(await pool.connect()), end: () => pool.end() } as pg.Pool,
    /**
     * Runs work under a hold. Rejects with the hold's refusal when a write was refused, even if the work ignored that.
     */
    holding: async <T>(hold: Hold, work: () => Promise<T>): Promise<T> => {
      const own: Held = { ...hold, isRefused: false, isReleased: false }
      const outcome = await holds.run(own, () => Promise.allSettled([work()]))
      if (own.isRefused) throw hold.refusal()
      const [ended] = outcome
      if (ended.status === 'rejected') throw ended.reason
      return ended.value
    },
  }
}
