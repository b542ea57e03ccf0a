import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { AssayError, asAssayError, type ErrorCode } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../schemas/http/headers.ts'
import type { Keyring } from '../accounts/keys.ts'
import { checkOrigin } from '../http/origins.ts'
import { readJsonText } from '../http/read-body.ts'
import type { Caller } from '../operations/define.ts'
import { errorResponse, invalidRequest, parseError, type RpcResponse, readMessage, statusOf } from './messages.ts'
import type { createMethods, RequestFacts } from './methods.ts'

const MAX_BODY_BYTES = 4 * 1024 * 1024
const MOST_IN_A_BATCH = 50
/** Versions whose clients may send several messages in one body; 2025-06-18 took that away. */
const WITH_BATCHES = ['2024-10-07', '2024-11-05', '2025-03-26']

interface Dependencies {
  readonly answer: ReturnType<typeof createMethods>
  readonly keyring: Pick<Keyring, 'callerOf'>
  readonly origins: readonly string[]
  /** Where the Protected Resource Metadata is, for the challenge of a 401. */
  readonly metadataUrl: string
  readonly log: Pick<Logger, 'error'>
}

interface Answered {
  readonly response: RpcResponse
  readonly status: 200 | 401 | 429 | 503
  readonly retryAfterSeconds?: number
}

/**
 * `POST /api/mcp`: JSON-RPC over the Streamable HTTP transport, without sessions and without streams, so that any replica answers
 * any request. Whatever `Accept` says, the answer is JSON. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export const createMcpEndpoint = ({ answer, keyring, origins, metadataUrl, log }: Dependencies) => {
  const one = async (message: unknown, facts: RequestFacts): Promise<Answered | null> => {
    const incoming = readMessage(message)
    if (incoming.kind === 'silent') return null
    if (incoming.kind === 'malformed') return { response: incoming.response, status: 200 }
    const { request } = incoming
    try {
      return { response: await answer(request, facts), status: 200 }
    } catch (thrown) {
      const error = asAssayError(thrown)
      if (error.code === 'internal') log.error({ err: error, method: request.method }, 'An MCP request failed.')
      return {
        response: errorResponse(request.id, error),
        status: statusOf(error),
        ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      }
    }
  }

  const several = async (messages: readonly unknown[], facts: RequestFacts): Promise<(Answered | null)[]> => {
    const answered: (Answered | null)[] = []
    // In order, one at a time: a later call may rest on an earlier one, and a batch is no way to take more than others.
    for (const [position, message] of messages.entries()) {
      const idempotencyKey = facts.idempotencyKey === null ? null : `${facts.idempotencyKey}#${position}`
      answered.push(await one(message, { ...facts, idempotencyKey }))
    }
    return answered
  }

  const reply = (answers: readonly Answered[], body: RpcResponse | readonly RpcResponse[]): Response => {
    const [first] = answers
    // A batch is only refused as a whole when nothing in it was answered otherwise.
    const status = first && answers.every(each => each.status === first.status) ? first.status : 200
    const headers = new Headers({ 'cache-control': 'no-store' })
    if (status === 401) headers.set('www-authenticate', `Bearer resource_metadata="${metadataUrl}"`)
    if (status === 429 || status === 503) headers.set('retry-after', String(first?.retryAfterSeconds ?? 5))
    return Response.json(body, { status, headers })
  }

  return async (request: Request): Promise<Response> => {
    try {
      checkOrigin(request.headers, origins)
    } catch (thrown) {
      return refused(asAssayError(thrown))
    }
    if (request.method !== 'POST') {
      return Response.json(invalidRequest('only POST is answered here.'), { status: 405, headers: { allow: 'POST' } })
    }
    const version = request.headers.get('mcp-protocol-version')
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ')
      return Response.json(invalidRequest(`MCP-Protocol-Version must be one of ${known}.`), { status: 400 })
    }
    let text: string
    try {
      text = await readJsonText(request, MAX_BODY_BYTES)
    } catch (thrown) {
      return refused(asAssayError(thrown))
    }
    const parsed = parse(text)
    if (!parsed) return Response.json(parseError())

    const facts: RequestFacts = {
      surface: new URL(request.url).searchParams.get('surface'),
      idempotencyKey: request.headers.get(IDEMPOTENCY_KEY_HEADER),
      caller: () => authenticated(keyring, request.headers),
    }
    if (!Array.isArray(parsed.value)) {
      const answered = await one(parsed.value, facts)
      return answered ? reply([answered], answered.response) : new Response(null, { status: 202 })
    }
    const refusal = refuseBatch(parsed.value, version)
    if (refusal !== null) return Response.json(invalidRequest(refusal))
    const answered = (await several(parsed.value, facts)).filter(each => each !== null)
    if (answered.length === 0) return new Response(null, { status: 202 })
    return reply(
      answered,
      answered.map(({ response }) => response),
    )
  }
}

const authenticated = async (keyring: Pick<Keyring, 'callerOf'>, headers: Headers): Promise<Caller> => {
  const caller = await keyring.callerOf(headers.get('authorization'))
  if (!caller) throw new AssayError('unauthorized', 'Invalid or missing API key')
  return caller
}

const parse = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

const REFUSAL_STATUS: Partial<Record<ErrorCode, number>> = { forbidden: 403, too_large: 413, unsupported: 415 }

/** What is wrong with the HTTP request itself has HTTP's own status; bytes that are no text are a parse error like any other. */
const refused = (error: AssayError): Response => {
  const status = REFUSAL_STATUS[error.code]
  return status === undefined
    ? Response.json(parseError())
    : Response.json(invalidRequest(error.publicMessage), { status })
}

const refuseBatch = (messages: readonly unknown[], version: string | null): string | null => {
  if (version !== null && !WITH_BATCHES.includes(version)) return `protocol ${version} has no batches.`
  if (messages.length === 0) return 'a batch must not be empty.'
  if (messages.length > MOST_IN_A_BATCH) return `a batch has at most ${MOST_IN_A_BATCH} messages.`
  const initializes = messages.some(
    message =>
      typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize',
  )
  return initializes ? 'initialize must not be part of a batch.' : null
}
