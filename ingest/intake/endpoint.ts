import { addressGroup } from '../../infra/runtime/addresses.ts'
import { withValue } from '../../infra/runtime/promises.ts'
import type { Share } from '../../infra/runtime/shares.ts'
import { formatTraceparent } from '../../infra/runtime/traces.ts'
import { isUuid, type SourceId, type TenantId } from '../../schemas/domain/ids.ts'
import { json, type Refusal, refusal, SOURCE_PAUSED, unavailable } from '../answer.ts'
import { type AppendPorts, appendDrafts } from '../append/encode-drafts.ts'
import type { RequestHead } from '../http/head.ts'
import type { ByteAllowance, FailureBudget } from '../limits/budgets.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { BodyWorker } from '../receivers/large-bodies.ts'
import type { EndpointReceiver } from '../receivers/receiver.ts'
import type { Found, Registry } from '../registry/registry.ts'
import type { Source } from '../registry/source.ts'
import { addHeaders, type RequestHandler, readBody, serverOverloaded, whilePaused } from './intake.ts'

export interface EndpointPorts extends AppendPorts {
  readonly registry: Pick<Registry, 'find'>
  readonly failures: FailureBudget
  readonly bytes: ByteAllowance
  /** Memory for the bodies of a tenant, once they are proven to be the tenant's. */
  readonly memoryOf: (tenant: TenantId) => Share
  /** Memory for unproven bodies, by address group. */
  readonly memoryOfSender: (group: string) => Share
  readonly worker: BodyWorker
  readonly now: () => number
}

/**
 * Handles requests with an endpoint's id in the path. Every such receiver has the same order of checks: endpoint, body,
 * proof, pause, limit, parse, append, answer.
 */
export const handleEndpoint =
  (ports: EndpointPorts, receiver: EndpointReceiver, limit: RateLimit) =>
  (endpoint: string): RequestHandler =>
  async (head, body, onSourceFound, trace) => {
    // The address is read while the client is connected. The body is unproven so far.
    body.countIn(ports.memoryOfSender(addressGroup(head.address())))
    const finding = find(ports.registry, receiver, endpoint)
    const found = finding instanceof Promise ? await whilePaused(body, finding) : finding
    if (found.kind === 'refusal') return found
    const { source } = found
    onSourceFound(source)
    const blocked = checkSpent(ports, source, head)
    if (blocked) return blocked
    const read = readBody(await body.outcome, receiver.maxBodyBytes)
    if (read.kind !== 'complete') return read
    const proving = prove(ports, receiver, source, head, read.bytes)
    const proven = proving instanceof Promise ? await proving : proving
    if (proven.kind !== 'complete') return proven
    if (!body.countIn(ports.memoryOf(source.tenantId))) return serverOverloaded(1)
    if (source.paused) return SOURCE_PAUSED
    const consuming = limit.consume(source.id)
    const consumed = consuming instanceof Promise ? await consuming : consuming
    if (consumed.kind === 'refusal') return consumed
    const request = {
      headers: head.headers,
      body: proven.bytes,
      source,
      receivedAt: ports.now(),
      traceId: trace.traceId,
    }
    const receiving = ports.worker.receive(receiver, request)
    const taken = receiving instanceof Promise ? await receiving : receiving
    body.release()
    if (taken.kind === 'refusal') return addHeaders(taken, consumed.headers)
    const refused = await appendDrafts(ports, taken.drafts, formatTraceparent(trace))
    return addHeaders(refused ?? { kind: 'answer', answer: json(taken.answer) }, consumed.headers)
  }

const find = (registry: EndpointPorts['registry'], receiver: EndpointReceiver, endpoint: string) => {
  if (!isUuid(endpoint)) return UNKNOWN_ENDPOINT
  // The path has the form of an id; the registry knows the ids.
  return withValue(registry.find(endpoint as SourceId), found => served(receiver, found))
}

const served = (receiver: EndpointReceiver, found: Found) => {
  if (found.kind === 'unavailable') {
    return unavailable(
      'registry_unavailable',
      'Whether this endpoint exists cannot be said right now. Repeat the request.',
      2,
    )
  }
  return found.kind === 'found' && receiver.serves(found.source) ? found : UNKNOWN_ENDPOINT
}

const UNKNOWN_ENDPOINT = refusal(
  404,
  'unknown_endpoint',
  'There is no such endpoint. Copy its address from Settings → Sources; a deleted endpoint does not come back.',
)

/**
 * Refuses, before the body is read, an address with too many failed proofs, or a tenant that has sent too many bytes.
 */
const checkSpent = ({ failures, bytes }: EndpointPorts, source: Source, head: RequestHead): Refusal | null =>
  failures.check(source.id, () => addressGroup(head.address())) ?? bytes.check(source.tenantId)

const prove = (
  { failures, bytes, worker, now }: EndpointPorts,
  receiver: EndpointReceiver,
  source: Source,
  head: RequestHead,
  body: Buffer,
) => {
  const proving = worker.prove(receiver, { headers: head.headers, body, source, receivedAt: now() })
  // Reads the address now: the client may leave meanwhile, and a failed proof counts all the same.
  if (proving instanceof Promise) head.address()
  return withValue(proving, proven => {
    if (proven.kind === 'complete') return bytes.take(source.tenantId, proven.bytes.byteLength) ?? proven
    if (proven.status === 401) failures.fail(source.id, addressGroup(head.address()))
    return proven
  })
}
