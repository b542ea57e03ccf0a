import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { AssayError, type Operation } from '../define.ts'
import { NoAnswer, StoreUnavailable } from './stores-behind-breakers.ts'

/** A store that is known to be away is not asked again, and one that took too long would take as long once more. */
const passes = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'busy' || error.code === 'unavailable') && !(error instanceof StoreUnavailable)

// Its pauses are scattered: calls that failed together do not come back together.
const policy = retry(handleWhen(passes), {
  maxAttempts: 2,
  backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 250 }),
})

/**
 * Runs a read again when a store failed in a way that passes, at most twice. Never for a write: it may have happened.
 */
export const retryingRead = <T>(read: () => Promise<T>): Promise<T> => policy.execute(read)

/**
 * A failure of a store that passes, with what its caller can do. A store that is lost while it commits may have
 * committed: a write is sent again under its idempotency key, which answers what was done, or else does it. Other
 * errors pass unchanged.
 */
export const sayingHowToRepeat = (
  error: AssayError,
  { effect }: Pick<Operation, 'effect'>,
  idempotencyKey: string | null,
): AssayError => {
  if ((error.code !== 'unavailable' && error.code !== 'timeout') || error.retryAfterSeconds !== null) return error
  // A question that was too dear says so itself: asked again it would be no cheaper.
  if (error instanceof NoAnswer) return error
  const advice =
    effect === 'read'
      ? 'Try again in some seconds.'
      : idempotencyKey === null
        ? 'It may have been done: look before you call again, and send an X-Idempotency-Key with each write.'
        : 'It may have been done: send the same again with the same X-Idempotency-Key, and it is done once.'
  return new AssayError(error.code, `${error.publicMessage} ${advice}`, {
    cause: error.cause,
    violations: error.violations,
    retriable: error.retriable,
    context: error.context,
  })
}
