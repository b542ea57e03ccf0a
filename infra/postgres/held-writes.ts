import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { Transaction } from './port.ts'

/** What somebody may write by, while some work runs. */
export interface Hold {
  /** Holds the rows by which they may until the transaction ends; false where they may not any more. */
  readonly holds: (transaction: Transaction) => Promise<boolean>
  /** Runs behind each write, in its transaction: what it has changed of these rows itself. */
  readonly written: (transaction: Transaction) => Promise<void>
  /** What a write is refused with. */
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
 * A pool for a library that looks first whether somebody may do something, and writes later by itself. While work runs
 * under a hold, each write is a transaction that holds the rows by which they may, or belongs to one that does: either
 * it was written before they lost their right, or it never is.
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
        // A connection that is lost has no transaction any more: the first error says why.
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
    // The library awaits what it asks; the other forms of pg's method are not for it.
    return { query: query as Query, release: lost => client.release(lost) }
  }

  return {
    /** The hold that this runs under, for what the work writes through another pool; undefined for none. */
    current: (): Hold | undefined => holds.getStore(),
    /** Ends the hold: a transaction that held it has deleted its row, so later statements have nothing to look up. */
    release: (): void => {
      const hold = holds.getStore()
      if (hold !== undefined) hold.isReleased = true
    },
    // All that the library asks of a pool.
    pool: { connect: async () => held(await pool.connect()), end: () => pool.end() } as pg.Pool,
    /** Runs the work under a hold. Rejects with its refusal where a write was refused, whatever the work made of it. */
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
