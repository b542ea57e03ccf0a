import { type Answer, call, type Input, type OperationName } from './client.ts'
import { Problem } from './problem.ts'
import { workspaceHeaders } from './workspace.ts'

/**
 * The idempotency keys of writes that are under way, or whose answer never told that they were done: by what they ask for. Whoever asks for
 * the same again before it is done means the same, and has it once.
 */
const unsettled = new Map<string, string>()
const MAX_UNSETTLED = 100

/** The key under which this is asked for: the one of before, unless something else was asked for or that was done. */
const keyFor = (asked: string): string => {
  const key = unsettled.get(asked) ?? newIdempotencyKey()
  unsettled.set(asked, key)
  for (const oldest of unsettled.keys()) {
    if (unsettled.size <= MAX_UNSETTLED) break
    unsettled.delete(oldest)
  }
  return key
}

/** Calls a write so that it happens once: when its answer is lost on the way, it is asked for again under the same idempotency key. */
export const callOnce = async <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
): Promise<Answer<Name>> => {
  const asked = JSON.stringify([operation, input, workspaceHeaders()])
  const idempotency_key = keyFor(asked)
  const ask = () => call(operation, input, { idempotency_key })
  const answer = await ask().catch(error => {
    if (error instanceof Problem && error.code === 'unreachable') return ask()
    throw error
  })
  unsettled.delete(asked)
  return answer
}

/** Random, and without `crypto.randomUUID`, which a browser lacks where the service is reached without TLS. */
const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
