import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { asAssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import {
  CLIENT_ADDRESS_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  MAX_IDEMPOTENCY_KEY_LENGTH,
} from '../../schemas/http/headers.ts'
import type { Keyring } from '../accounts/keys.ts'
import type { KeylessBudget } from '../http/address-budget.ts'
import { type BodySender, senderOf, strangerAt } from '../http/body-budget.ts'
import type { BodyDoor } from '../http/body-door.ts'
import { loggingFailure, nameAnswer, noteError } from '../http/failed-answers.ts'
import { headersOf, notAllowed } from '../http/problem.ts'
import { checkOrigin } from '../http/requests.ts'
import { AssayError, type Caller } from '../operations/define.ts'
import { type BodyLimits, CALL_BODY, LONG_TEXT_BODY } from '../operations/parts/body-limits.ts'
import {
  answerBatch,
  type BatchAnswer,
  encodeBatch,
  encodeResponse,
  failure,
  internalError,
  invalidRequest,
  parseError,
  readMessage,
  refuseBatch,
} from './messages.ts'
import type { createMethods, RequestFacts } from './methods.ts'
import { errorResponse, isFailure, REFUSALS, statusOf } from './refusals.ts'
import { isStateless, PROTOCOL_REVISIONS, RevisionRefusal, revisionHeader, unsupportedRevision } from './revision.ts'

/** A body of this length is read before its operation, and so its own limit, is known. */
export const KEYED_BODY = LONG_TEXT_BODY
/** Calls without a key are short. */
export const KEYLESS_BODY: BodyLimits = { ...CALL_BODY, bytes: 64 * 1024 }

interface Dependencies {
  readonly door: Pick<BodyDoor, 'json'>
  readonly answer: ReturnType<typeof createMethods>
  readonly keyring: Pick<Keyring, 'callerOf' | 'knows'>
  readonly keyless: KeylessBudget
  readonly origins: readonly string[]
  /** Address of the Protected Resource Metadata, for the challenge of a 401. */
  readonly metadataUrl: string
  readonly log: Pick<Logger, 'error'>
}

/**
 * `POST /api/mcp`: JSON-RPC over the Streamable HTTP transport, without sessions and streams, so that any replica can
 * answer any request. The answer is JSON, whatever `Accept` says.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export const createMcpEndpoint = ({ door, answer, keyring, keyless, origins, metadataUrl, log }: Dependencies) => {
  const failed = (id: RequestId, error: AssayError): BatchAnswer => {
    noteError(error)
    return {
      body: encodeResponse(errorResponse(id, error)),
      status: statusOf(error),
      ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    }
  }

  /** `refusal` refuses the whole HTTP request; null otherwise. */
  const one = async (
    message: unknown,
    headers: Headers,
    facts: Omit<RequestFacts, 'stateless'>,
    refusal: AssayError | null,
  ): Promise<BatchAnswer | null> => {
    const incoming = readMessage(message)
    if (incoming.kind === 'silent') return null
    if (incoming.kind === 'malformed') return { body: encodeResponse(incoming.response), status: 200 }
    const { request } = incoming
    return loggingFailure(log, isFailure, async () => {
      if (refusal !== null) return failed(request.id, refusal)
      try {
        const stateless = isStateless(request, headers)
        return { body: encodeResponse(await answer(request, { ...facts, stateless })), status: 200 }
      } catch (thrown) {
        if (thrown instanceof RevisionRefusal) return refusedBy(thrown, request.id)
        return failed(request.id, asAssayError(thrown))
      }
    })
  }

  /**
   * Counts the messages against the budget of an address whose key this process does not know; messages above it get a
   * refusal. A valid key gets its messages back, because agents that start together behind one address are no
   * strangers.
   */
  const budgeted = async (
    { headers, caller }: { readonly headers: Headers; readonly caller: () => Promise<Caller> },
    messages: readonly unknown[],
    answering: (refusal: AssayError | null) => Promise<readonly BatchAnswer[]>,
  ): Promise<readonly BatchAnswer[]> => {
    const authorization = headers.get('authorization')
    if (keyring.knows(authorization)) return answering(null)
    const address = headers.get(CLIENT_ADDRESS_HEADER) ?? ''
    const refusal = await keyless.spend(address, messages.length).then(() => null, asAssayError)
    const answers = await answering(refusal)
    if (refusal === null && authorization !== null && (await isValid(caller))) {
      keyless.giveBack(address, messages.length)
      return answers
    }
    keyless.answered(
      address,
      answers.reduce((bytes, { body }) => bytes + body.length, 0),
    )
    return answers
  }

  const reply = (answers: readonly BatchAnswer[], body: Buffer): Response => {
    const [first] = answers
    // Only the status tells a client that it needs a key. Otherwise a batch has the status of its messages when all are
    // the same.
    const needsKey = answers.some(({ status }) => status === 401)
    const alike = first !== undefined && answers.every(({ status }) => status === first.status)
    const status = needsKey ? 401 : alike ? first.status : 200
    const headers = new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' })
    if (status === 401) headers.set('www-authenticate', `Bearer resource_metadata="${metadataUrl}"`)
    if (status === 429 || status === 503) headers.set('retry-after', String(first?.retryAfterSeconds ?? 5))
    return new Response(new Uint8Array(body), { status, headers })
  }

  return async (request: Request): Promise<Response> => {
    const { headers } = request
    nameAnswer({ route: '/api/mcp' })
    try {
      checkOrigin(headers, origins)
    } catch (thrown) {
      return refused(asAssayError(thrown))
    }
    if (request.method !== 'POST') return refused(notAllowed('POST'))
    // Looked up once for all messages.
    const caller = once(() => authenticated(keyring, headers))
    let limits = KEYLESS_BODY
    let body: Awaited<ReturnType<BodyDoor['json']>>
    try {
      const reading = await readingOf(keyring, headers, caller)
      limits = reading.limits
      body = await door.json(request, reading.from, limits)
    } catch (thrown) {
      const error = asAssayError(thrown)
      const needsKey = error.context.exceeded === 'bytes' && limits === KEYLESS_BODY
      return needsKey ? reply([LONG_WITHOUT_KEY], LONG_WITHOUT_KEY.body) : refused(error)
    }
    const { value, bytes } = body
    if (value === undefined) return Response.json(parseError())

    const facts = {
      surface: new URL(request.url).searchParams.get('surface'),
      idempotencyKey: headers.get(IDEMPOTENCY_KEY_HEADER),
      bodyBytes: bytes,
      caller,
    }
    if (!Array.isArray(value)) {
      const [answered] = await budgeted({ headers, caller }, [value], async refusal => {
        const only = await one(value, headers, facts, refusal)
        return only === null ? [] : [only]
      })
      return answered ? reply([answered], answered.body) : new Response(null, { status: 202 })
    }
    const batch: readonly unknown[] = value
    const version = revisionHeader(headers)
    if (version !== null && !PROTOCOL_REVISIONS.includes(version)) {
      const { body, status } = refusedBy(unsupportedRevision(version), null)
      return reply([{ body, status }], body)
    }
    const wrong = refuseBatch(batch, version)
    if (wrong !== null) return Response.json(invalidRequest(wrong))
    const answers = await budgeted({ headers, caller }, batch, refusal =>
      answerBatch(batch, (message, position) => one(message, headers, inBatch(facts, position), refusal)),
    )
    return answers.length === 0 ? new Response(null, { status: 202 }) : reply(answers, encodeBatch(answers))
  }
}

const refusedBy = ({ code, message, data, status }: RevisionRefusal, id: RequestId | null): BatchAnswer => ({
  body: encodeResponse(failure(id, code, message, data)),
  status,
})

/** The message's own idempotency key in a batch: the header and the message's position. */
const inBatch = <Facts extends Pick<RequestFacts, 'idempotencyKey'>>(facts: Facts, position: number): Facts => ({
  ...facts,
  idempotencyKey: facts.idempotencyKey === null ? null : keyAt(facts.idempotencyKey, position),
})

/** Keeps the key within its limit by hashing a long header; a header above the limit stays too long. */
const keyAt = (key: string, position: number): string => {
  const own = `${key}#${position}`
  const fits = own.length <= MAX_IDEMPOTENCY_KEY_LENGTH || key.length > MAX_IDEMPOTENCY_KEY_LENGTH
  return fits ? own : `${sha256(key).toString('hex')}#${position}`
}

const NO_KEY = 'Invalid or missing API key'

const authenticated = async (keyring: Pick<Keyring, 'callerOf'>, headers: Headers): Promise<Caller> => {
  const caller = await keyring.callerOf(headers.get('authorization'))
  if (!caller) throw new AssayError('unauthorized', NO_KEY)
  return caller
}

const isValid = (caller: () => Promise<Caller>): Promise<boolean> =>
  caller().then(
    () => true,
    () => false,
  )

/** The body was not read, so the method is unknown; usually it is a call with a deleted key. */
const LONG_WITHOUT_KEY: BatchAnswer = {
  body: encodeResponse(
    errorResponse(
      null,
      new AssayError('unauthorized', `${NO_KEY}. A body of more than ${KEYLESS_BODY.bytes} bytes needs a valid one.`),
    ),
  ),
  status: 401,
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let begun: Promise<T> | undefined
  return () => {
    begun ??= work()
    return begun
  }
}

/**
 * The sender and the limits of a body. An unknown key is looked up for a long body or one without a length; a short
 * body counts for its address until then.
 */
const readingOf = async (
  keyring: Pick<Keyring, 'knows'>,
  headers: Headers,
  caller: () => Promise<Caller>,
): Promise<{ readonly from: BodySender; readonly limits: BodyLimits }> => {
  const from = strangerAt(headers.get(CLIENT_ADDRESS_HEADER) ?? '')
  const length = Number(headers.get('content-length') ?? Number.NaN)
  // Refused for every sender.
  if (length > KEYED_BODY.bytes) return { from, limits: KEYED_BODY }
  const isShort = length <= KEYLESS_BODY.bytes
  if (isShort && !keyring.knows(headers.get('authorization'))) return { from, limits: KEYLESS_BODY }
  try {
    return { from: senderOf(await caller()), limits: KEYED_BODY }
  } catch (thrown) {
    if (isShort || asAssayError(thrown).code === 'unauthorized') return { from, limits: KEYLESS_BODY }
    throw thrown
  }
}

/** Faults of the HTTP request have HTTP's own status; invalid UTF-8 is a parse error. */
const refused = (error: AssayError): Response => {
  noteError(error)
  const status = REFUSALS[error.code].ofRequest
  if (status === null) return Response.json(parseError())
  if (status === 429) return Response.json(errorResponse(null, error), { status, headers: headersOf(error) })
  if (status >= 500) return Response.json(internalError(error.publicMessage), { status, headers: headersOf(error) })
  return Response.json(invalidRequest(error.publicMessage), { status, headers: headersOf(error) })
}
