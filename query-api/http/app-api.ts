import { asAssayError } from '../../infra/runtime/errors.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../schemas/http/headers.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Call } from '../operations/call/shape.ts'

import { AssayError, type Operation } from '../operations/define.ts'
import { checkOrigin } from './origins.ts'
import { problem, readJsonText } from './problem.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024

interface Dependencies {
  readonly call: Call
  readonly operations: ReadonlyMap<string, Operation>
  readonly sessions: Pick<Sessions, 'callerOf'>
  readonly origins: readonly string[]
}

/**
 * `POST /api/app/<operation>`: the body is the operation's input, the session's person calls, the answer is `{data,
 * meta}`.
 */
export const createAppApi =
  ({ call, operations, sessions, origins }: Dependencies) =>
  async (request: Request, name: string): Promise<Response> => {
    try {
      checkOrigin(request.headers, origins)
      const operation = operations.get(name)
      if (!operation) throw new AssayError('not_found', `There is no operation ${name}. /api/openapi.json lists them.`)
      const caller = await sessions.callerOf(request.headers)
      const input = readInput(await readJsonText(request, MAX_BODY_BYTES))
      const idempotencyKey = request.headers.get(IDEMPOTENCY_KEY_HEADER)
      const answered = await call(operation, { caller, input, idempotencyKey })
      return Response.json(answered, { headers: { 'cache-control': 'no-store' } })
    } catch (error) {
      return problem(asAssayError(error))
    }
  }

const readInput = (text: string): Readonly<Record<string, unknown>> => {
  let parsed: unknown
  try {
    parsed = JSON.parse(text === '' ? '{}' : text)
  } catch {
    throw new AssayError('invalid_input', 'The body is not JSON.')
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
  throw new AssayError('invalid_input', 'The body must be a JSON object: the input of the operation.')
}
