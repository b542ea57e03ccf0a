import { asAssayError } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { childOf, formatTraceparent, newTrace, parseTraceparent } from '../infra/runtime/traces.ts'
import { isUuid, type SourceId } from '../schemas/domain/ids.ts'
import type { Appender } from './append/appender.ts'
import { encodeDraft, type IngestCodecs } from './encode.ts'
import { type Answer, json, problem } from './http/answer.ts'
import type { IncomingBody } from './http/body.ts'
import type { RequestHead } from './http/head.ts'
import { checkMediaType } from './http/media-type.ts'
import { addressGroup } from './limits/address-group.ts'
import type { FailureBudget } from './limits/limits.ts'
import type { Draft, Receiver } from './receivers/receiver.ts'
import { type Refusal, refusal, unavailable } from './refusal.ts'
import type { Registry } from './registry/registry.ts'
import type { Source } from './registry/source.ts'
import type { Route } from './routes.ts'

export interface IntakePorts {
  readonly registry: Pick<Registry, 'find'>
  readonly failures: FailureBudget
  readonly appender: Pick<Appender, 'append'>
  readonly codecs: IngestCodecs
  readonly maxRecordBytes: number
  /** Told of each request once it is answered. */
  readonly observe: (observed: Observed) => void
  readonly logger: Pick<Logger, 'error'>
  readonly now: () => number
}

/** What became of a request. */
export interface Observed {
  readonly receiver: string
  /** Null when nobody knows the endpoint. */
  readonly source: Source | null
  /** A refusal's reason, `aborted` for a client that left before its answer, or null when the request was accepted. */
  readonly refused: string | null
}

type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | Refusal
  /** The client left: nobody waits for an answer. */
  | { readonly kind: 'aborted' }

/**
 * Takes one request of a receiver, in the order that every receiver shares: head, endpoint, body, proof, limit, parse, append, answer.
 * Null when the client is gone.
 */
export type Intake = (route: Route, head: RequestHead, body: IncomingBody) => Promise<Answer | null>

export const createIntake = (ports: IntakePorts): Intake => {
  const { observe, logger } = ports
  return async (route, head, body) => {
    const { receiver } = route
    let source: Source | null = null
    const onFound = (found: Source) => {
      source = found
    }
    const outcome =
      checkHead(receiver, head) ?? (await take(ports, route, head, body, onFound).catch(unforeseen(logger, receiver)))
    body.release()
    observe({ receiver: receiver.name, source, refused: refusedFor(outcome) })
    if (outcome.kind === 'aborted') return null
    return outcome.kind === 'answer' ? outcome.answer : problem(outcome)
  }
}

const refusedFor = (outcome: Outcome): string | null => {
  if (outcome.kind === 'answer') return null
  return outcome.kind === 'aborted' ? 'aborted' : outcome.reason
}

const checkHead = (receiver: Receiver, head: RequestHead): Refusal | null => {
  if (head.method !== 'POST') {
    return refusal(405, 'method', 'This address takes POST requests only.', { headers: { allow: 'POST' } })
  }
  if (head.contentLength !== null && head.contentLength > receiver.maxBodyBytes) return tooLarge(receiver)
  return checkMediaType(receiver.contentTypes, head.headers['content-type'], head.headers['content-encoding'])
}

const take = async (
  ports: IntakePorts,
  route: Route,
  head: RequestHead,
  body: IncomingBody,
  onFound: (source: Source) => void,
): Promise<Outcome> => {
  const { receiver } = route
  const found = await find(ports.registry, route, body)
  if (found.kind === 'refusal') return found
  const { source } = found
  onFound(source)
  const proven = await prove(ports, receiver, source, head, body)
  if (proven.kind !== 'complete') return proven
  const limit = await route.limit.consume(source.id)
  if (limit.kind === 'refusal') return limit
  const outcome = await accept(ports, receiver, source, head, proven.bytes, body)
  return withHeaders(outcome, limit.headers)
}

const find = async (registry: IntakePorts['registry'], { receiver, endpoint }: Route, body: IncomingBody) => {
  if (!isUuid(endpoint)) return UNKNOWN_ENDPOINT
  // It has the form of an id; whether it is one, the registry says.
  const answer = registry.find(endpoint as SourceId)
  const found = answer instanceof Promise ? await whilePaused(body, answer) : answer
  if (found.kind === 'unavailable') {
    return unavailable(
      'registry_unavailable',
      'Whether this endpoint exists cannot be said right now. Repeat the request.',
      2,
    )
  }
  return found.kind === 'found' && receiver.serves(found.source) ? found : UNKNOWN_ENDPOINT
}

/** A client is held back while it is not known whether anybody wants its body. */
const whilePaused = async <T>(body: IncomingBody, work: Promise<T>): Promise<T> => {
  body.pause()
  try {
    return await work
  } finally {
    body.resume()
  }
}

const UNKNOWN_ENDPOINT = refusal(
  404,
  'unknown_endpoint',
  'There is no such endpoint. Copy its address from Settings → Sources; a deleted endpoint does not come back.',
)

const prove = async (
  { failures, now }: IntakePorts,
  receiver: Receiver,
  source: Source,
  head: RequestHead,
  body: IncomingBody,
) => {
  const sender = addressGroup(head.address)
  const blocked = await failures.check(source.id, sender)
  if (blocked) return blocked
  const read = await body.outcome
  if (read.kind === 'too_large') return tooLarge(receiver)
  if (read.kind === 'overloaded') return overloaded(1)
  if (read.kind === 'aborted') return read
  const unproven = receiver.prove({ headers: head.headers, body: read.bytes, source, receivedAt: now() })
  if (unproven?.status === 401) await failures.fail(source.id, sender)
  return unproven ?? read
}

const accept = async (
  ports: IntakePorts,
  receiver: Receiver,
  source: Source,
  { headers }: RequestHead,
  bytes: Buffer,
  body: IncomingBody,
): Promise<Outcome> => {
  const sent = parseTraceparent(headers.traceparent)
  const trace = sent ? childOf(sent) : newTrace()
  const taken = receiver.receive({ headers, body: bytes, source, receivedAt: ports.now(), traceId: trace.traceId })
  body.release()
  if (taken.kind === 'refusal') return taken
  const refused = await append(ports, taken.drafts, formatTraceparent(trace))
  return refused ?? { kind: 'answer', answer: json(taken.answer) }
}

const append = async (ports: IntakePorts, drafts: readonly Draft[], traceparent: string): Promise<Refusal | null> => {
  if (drafts.length === 0) return null
  try {
    const records = await Promise.all(drafts.map(draft => encodeDraft(draft, ports.codecs, traceparent)))
    if (records.some(record => record.value.byteLength > ports.maxRecordBytes))
      return recordTooLarge(ports.maxRecordBytes)
    await ports.appender.append(records)
    return null
  } catch (error) {
    const { code, retriable, retryAfterSeconds } = asAssayError(error)
    if (code === 'busy') return overloaded(retryAfterSeconds ?? 1)
    if (!retriable) throw error
    const detail = 'The request could not be stored durably. Repeat it, with the same idempotency key if it has one.'
    return unavailable('log_unavailable', detail, retryAfterSeconds ?? 5)
  }
}

const recordTooLarge = (maxBytes: number): Refusal => {
  const detail = `What is kept of this request is larger than the ${maxBytes} bytes that a record may have. Send less metadata or a shorter text.`
  return refusal(413, 'record_too_large', detail)
}

const overloaded = (retryAfterSeconds: number): Refusal =>
  unavailable('overloaded', 'Too many requests are under way. Repeat this one, with growing pauses.', retryAfterSeconds)

const tooLarge = (receiver: Receiver): Refusal =>
  refusal(413, 'body_too_large', `The body must have at most ${receiver.maxBodyBytes} bytes.`)

const withHeaders = (outcome: Outcome, headers: Readonly<Record<string, string>>): Outcome => {
  if (outcome.kind === 'aborted') return outcome
  if (outcome.kind === 'refusal') return { ...outcome, headers: { ...headers, ...outcome.headers } }
  return { kind: 'answer', answer: { ...outcome.answer, headers: { ...headers, ...outcome.answer.headers } } }
}

const unforeseen =
  (logger: Pick<Logger, 'error'>, receiver: Receiver) =>
  (error: unknown): Refusal => {
    logger.error({ err: error, receiver: receiver.name }, 'a request failed in a way that nobody foresaw')
    return refusal(500, 'internal', 'An unexpected error occurred; the request was not taken.')
  }
