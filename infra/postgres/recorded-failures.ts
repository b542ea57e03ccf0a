import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { isAssayError } from '../runtime/errors.ts'
import { databaseError } from './errors.ts'

interface Notes {
  failure: unknown
}

/**
 * A pool that remembers what went wrong with the database while some work ran. The accounts' library answers many a
 * failure of its database with a sentence of its own, or with nobody's session: a database that took too long would
 * look like an error of ours, or like a person who is not signed in.
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
      // The library awaits what it asks; the other forms of pg's method are not for it.
      query: query as pg.PoolClient['query'],
      // In the middle of an answer it is no use to the next one.
      release: () => client.release(isLost),
    }
  }

  return {
    // All that the library asks of a pool.
    pool: { connect: async () => noted(await noting(() => pool.connect())), end: () => pool.end() } as pg.Pool,
    /**
     * Runs the work; rejects with what the database failed with, where that passes, unless the work went well all the
     * same.
     */
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
