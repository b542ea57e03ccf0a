import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { isAssayError } from '../runtime/errors.ts'
import { databaseError } from './errors.ts'

interface Notes {
  failure: unknown
}

/**
 * A pool that remembers the database's failure while some work ran. The accounts' library turns many failures into a
 * sentence of its own, or into an absent session: a slow database would look like an error of ours, or like a person
 * who is not signed in.
 */
export const recordFailures = (pool: pg.Pool) => {
  const notes = new AsyncLocalStorage<Notes>()
  const noting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const current = notes.getStore()
      if (current !== undefined) current.failure ??= error
      throw error
    }
  }

  const noted = (client: pg.PoolClient): Pick<pg.PoolClient, 'query' | 'release'> => {
    let isLost = false
    const query = (...values: Parameters<pg.PoolClient['query']>) =>
      noting(async () => {
        try {
          return await client.query(...values)
        } catch (error) {
          isLost ||= mayPass(error)
          throw error
        }
      })
    return {
      // The library awaits its queries, and uses no other form of pg's method.
      query: query as pg.PoolClient['query'],
      // A connection in the middle of an answer is not reused.
      release: () => client.release(isLost),
    }
  }

  return {
    // The only members of a pool that the library uses.
    pool: { connect: async () => noted(await noting(() => pool.connect())), end: () => pool.end() } as pg.Pool,
    /** Runs the work. Rejects with the database's failure when that is transient, unless the result is good. */
    run: async <T>(work: () => Promise<T>, isGood: (result: T) => boolean): Promise<T> => {
      const own: Notes = { failure: undefined }
      try {
        const result = await notes.run(own, work)
        if (own.failure === undefined || isGood(result) || !mayPass(own.failure)) return result
      } catch (error) {
        if (!mayPass(own.failure)) throw error
      }
      throw databaseError(own.failure)
    },
  }
}

const mayPass = (error: unknown): boolean => {
  const translated = databaseError(error)
  return isAssayError(translated) && translated.retriable
}
