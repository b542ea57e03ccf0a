import type { CallResult } from '../../../query-api/operations/call/meta.ts'
import type { Operations } from '../../../query-api/operations/registry.ts'
import { goToSignIn } from './accounts.ts'
import { post } from './post.ts'
import { Problem } from './problem.ts'
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
