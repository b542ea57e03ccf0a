import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Operation } from '../define.ts'
import { NoAnswer } from './stores-behind-breakers.ts'

/**
 * A failure of a store that passes, with what its caller can do. A store that is lost while it commits may have committed: a write is sent again
 * under its idempotency key, which answers what was done, or else does it. Other errors pass unchanged.
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
