import { setTimeout as pause } from 'node:timers/promises'
import { isAssayError } from '../../../infra/runtime/errors.ts'

const PAUSES_MS = [50, 250]

/** Runs a read again when a store failed in a way that passes. Never for a write: it may have happened. */
export const retryingRead = async <T>(read: () => Promise<T>): Promise<T> => {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await read()
    } catch (error) {
      if (!isAssayError(error) || !error.retriable) throw error
      // Calls that failed together do not come back together.
      await pause(pauseMs * (0.5 + Math.random()))
    }
  }
  return await read()
}
