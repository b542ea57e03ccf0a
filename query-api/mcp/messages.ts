import { setImmediate } from 'node:timers/promises'
import { ErrorCode, type RequestId } from '@modelcontextprotocol/sdk/types.js'

/** JSON-RPC 2.0 as MCP uses it: https://www.jsonrpc.org/specification. Ids are strings or integers, never null. */

export type Params = Readonly<Record<string, unknown>>

export interface RpcRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: Params
}

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** A result that is the same for everybody, written as JSON once. */
export class WrittenResult {
  readonly json: Buffer

  constructor(value: object | Buffer) {
    this.json = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))
  }

  /** The same object with further fields in front. */
  with(fields: object): WrittenResult {
    const first = Buffer.from(`${JSON.stringify(fields).slice(0, -1)},`)
    return new WrittenResult(Buffer.concat([first, this.json.subarray(1)]))
  }
}

export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: object | WrittenResult }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId | null; readonly error: RpcError }

/** The service's own code from JSON-RPC's range for servers; `refusals.ts` has the others. */
const BATCH_IS_FULL = -32003

/** Kind of a message: a request, a message without an answer, or a malformed one with its answer. */
type Incoming =
  | { readonly kind: 'request'; readonly request: RpcRequest }
  | { readonly kind: 'silent' }
  | { readonly kind: 'malformed'; readonly response: RpcResponse }

export const result = (id: RequestId, value: object): RpcResponse => ({ jsonrpc: '2.0', id, result: value })

export const failure = (id: RequestId | null, code: number, message: string, data?: unknown): RpcResponse => ({
  jsonrpc: '2.0',
  id,
  error: data === undefined ? { code, message } : { code, message, data },
})

export const parseError = (): RpcResponse => failure(null, ErrorCode.ParseError, 'Parse error: the body is not JSON.')

export const invalidRequest = (why: string, id: RequestId | null = null): RpcResponse =>
  failure(id, ErrorCode.InvalidRequest, `Invalid request: ${why}`)

export const internalError = (message: string, id: RequestId | null = null): RpcResponse =>
  failure(id, ErrorCode.InternalError, message)

/** Answer to the messages of a batch after its limit of bytes. */
const batchIsFull = (id: RequestId, bytes: number): RpcResponse =>
  failure(
    id,
    BATCH_IS_FULL,
    `Not run: this batch has answered ${bytes} bytes, which is as much as one may. Send this call again, by itself or in another batch.`,
  )

/** The response as JSON bytes. A result that was written once is copied. */
export const encodeResponse = (response: RpcResponse): Buffer => {
  if (!('result' in response && response.result instanceof WrittenResult)) return Buffer.from(JSON.stringify(response))
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(response.id)},"result":`)
  return Buffer.concat([head, response.result.json, CLOSING])
}

const CLOSING = Buffer.from('}')

/** Classifies a parsed message by its envelope alone. */
export const readMessage = (message: unknown): Incoming => {
  if (!isObject(message)) return malformed('a message is a JSON object.')
  const id = isRequestId(message.id) ? message.id : null
  if (message.jsonrpc !== '2.0') return malformed('"jsonrpc" must be "2.0".', id)
  // The client's answer to a question of the server; this server asks none.
  if (!('method' in message) && ('result' in message || 'error' in message)) return { kind: 'silent' }
  if (typeof message.method !== 'string') return malformed('"method" must be a string.', id)
  if (!('id' in message)) return { kind: 'silent' }
  if (id === null) return malformed(`"id" must be a string, or an integer to ${Number.MAX_SAFE_INTEGER}.`)
  const params = message.params ?? {}
  if (!isObject(params)) return { kind: 'malformed', response: invalidParams(id, '"params" must be an object.') }
  return { kind: 'request', request: { id, method: message.method, params } }
}

const invalidParams = (id: RequestId, message: string, data?: unknown): RpcResponse =>
  failure(id, ErrorCode.InvalidParams, message, data)

const malformed = (why: string, id: RequestId | null = null): Incoming => ({
  kind: 'malformed',
  response: invalidRequest(why, id),
})

/** JSON parsing changes larger integers, so they cannot be answered. */
const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id)

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const MAX_IN_A_BATCH = 50
/** After this many bytes of answers the rest of a batch is not run. */
export const MAX_BYTES_OF_A_BATCH = 1024 * 1024

/** Versions whose clients may send several messages in one body; 2025-06-18 removed batches. */
const WITH_BATCHES = ['2024-10-07', '2024-11-05', '2025-03-26']

/** A message's answer: a response as JSON, and the HTTP status that it would have alone. */
export interface BatchAnswer {
  readonly body: Buffer
  readonly status: 200 | 400 | 401 | 404 | 429 | 503
  readonly retryAfterSeconds?: number
}

/** Reason to refuse a batch; null when it is accepted. */
export const refuseBatch = (messages: readonly unknown[], version: string | null): string | null => {
  if (version !== null && !WITH_BATCHES.includes(version)) return `protocol ${version} has no batches.`
  if (messages.length === 0) return 'a batch must not be empty.'
  if (messages.length > MAX_IN_A_BATCH) return `a batch has at most ${MAX_IN_A_BATCH} messages.`
  const initializes = messages.some(message => isObject(message) && message.method === 'initialize')
  return initializes ? 'initialize must not be part of a batch.' : null
}

/**
 * Answers messages in order, one at a time: a later call may depend on an earlier one, and a batch must not take more
 * than single calls. Other requests get their turn in between.
 */
export const answerBatch = async (
  messages: readonly unknown[],
  answer: (message: unknown, position: number) => Promise<BatchAnswer | null>,
): Promise<BatchAnswer[]> => {
  const answers: BatchAnswer[] = []
  let bytes = 0
  for (const [position, message] of messages.entries()) {
    const answered = bytes < MAX_BYTES_OF_A_BATCH ? await answer(message, position) : notRun(message, bytes)
    if (answered === null) continue
    answers.push(answered)
    bytes += answered.body.length
    await setImmediate()
  }
  return answers
}

const notRun = (message: unknown, bytes: number): BatchAnswer | null => {
  const incoming = readMessage(message)
  if (incoming.kind === 'silent') return null
  const response = incoming.kind === 'malformed' ? incoming.response : batchIsFull(incoming.request.id, bytes)
  return { body: encodeResponse(response), status: 200 }
}

/** The responses as a JSON array. */
export const encodeBatch = (answers: readonly BatchAnswer[]): Buffer =>
  Buffer.concat([
    Buffer.from('['),
    ...answers.flatMap(({ body }, position) => (position === 0 ? [body] : [Buffer.from(','), body])),
    Buffer.from(']'),
  ])
