import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { StoreUnavailable } from './stores-behind-breakers.ts'

/** A store that is known to be away is not asked again, and one that took too long would take as long once more. */
const passes = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'busy' || error.code === 'unavailable') && !(error instanceof StoreUnavailable)

// Its pauses are scattered: calls that failed together do not come back together.
const policy = retry(handleWhen(passes), {
  maxAttempts: 2,
  backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 250 }),
})

/** Runs a read again when a store failed in a way that passes, at most twice. Never for a write: it may have happened. */
export const retryingRead = <T>(read: () => Promise<T>): Promise<T> => policy.execute(read)
