import { type Answer, call, type Input, type OperationName } from './client.ts'
import { Problem } from './problem.ts'

/** Calls a write so that it happens once: when its answer is lost on the way, it is asked for again under the same idempotency key. */
export const callOnce = async <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
): Promise<Answer<Name>> => {
  const idempotency_key = newIdempotencyKey()
  try {
    return await call(operation, input, { idempotency_key })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'unreachable') throw error
    return call(operation, input, { idempotency_key })
  }
}

/** Random, and without `crypto.randomUUID`, which a browser lacks where the service is reached without TLS. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
