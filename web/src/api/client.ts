import type { CallResult } from '../../../query-api/operations/call/shape.ts'
import type { Operations } from '../../../query-api/operations/registry.ts'
import { goToSignIn } from './accounts.ts'
import { Problem, post } from './http.ts'
import { workspaceHeaders } from './workspace.ts'

export type OperationName = keyof Operations
export type Input<Name extends OperationName> = Operations[Name]['input']
export type Output<Name extends OperationName> = Operations[Name]['output']

export interface Answer<Name extends OperationName> {
  readonly data: Output<Name>
  readonly meta: CallResult['meta']
}

interface Options {
  readonly signal?: AbortSignal
  /** Makes a repeated write happen once. */
  readonly idempotency_key?: string
}

/** Calls an operation as the signed-in person, in the chosen workspace. Rejects with a Problem; without a session, leaves for the sign-in. */
export const call = async <Name extends OperationName>(
  operation: Name,
  input: Input<Name>,
  { signal, idempotency_key }: Options = {},
): Promise<Answer<Name>> => {
  const headers = {
    ...workspaceHeaders(),
    ...(idempotency_key !== undefined && { 'x-idempotency-key': idempotency_key }),
  }
  try {
    return await post<Answer<Name>>(`/api/app/${operation}`, input, { headers, signal })
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') goToSignIn()
    throw error
  }
}

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
