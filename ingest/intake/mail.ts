import { createHash } from 'node:crypto'
import { addressGroup } from '../../infra/runtime/addresses.ts'
import { asAssayError } from '../../infra/runtime/errors.ts'
import { fromEach, type Share } from '../../infra/runtime/shares.ts'
import { formatTraceparent, type TraceContext } from '../../infra/runtime/traces.ts'
import type { SignalId, SourceId, TenantId } from '../../schemas/domain/ids.ts'
import { json, type Refusal, refusal, SOURCE_PAUSED, unavailable } from '../answer.ts'
import { type AppendPorts, appendDrafts } from '../append/encode-drafts.ts'
import type { IncomingBody } from '../http/body.ts'
import type { RequestHead } from '../http/head.ts'
import type { FailureBudget } from '../limits/budgets.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import { checkBearer } from '../proof/prove.ts'
import type { MailReader, MailReading } from '../receivers/email/reader.ts'
import { findRecipients, mailDraft, recipientsIn, recipientsInHeaders } from '../receivers/email/receiver.ts'
import type { MailReceiver } from '../receivers/receiver.ts'
import type { Registry } from '../registry/registry.ts'
import type { Source } from '../registry/source.ts'
import { type Outcome, type RequestHandler, readBody, serverOverloaded, whilePaused } from './intake.ts'

interface AcceptMailPorts extends AppendPorts {
  readonly limit: RateLimit
  readonly reader: Pick<MailReader, 'read'>
  readonly now: () => number
}

/** A mail with its recipients, whichever way it came. */
interface IncomingMail {
  readonly bytes: Buffer
  /** At least one. */
  readonly sources: readonly Source[]
  /**
   * The envelope's sender: empty for a report or an automatic answer (RFC 5321 section 4.5.5), null without an
   * envelope.
   */
  readonly sender: string | null
  readonly trace: TraceContext
  /** Called once the bytes are not needed any more. */
  readonly release: () => void
}

type AcceptedMail =
  | {
      readonly kind: 'accepted'
      /** One for each source, in their order; none for a report or an automatic answer without text. */
      readonly snippetIds: readonly SignalId[]
      readonly headers: Readonly<Record<string, string>>
    }
  | Refusal

export type AcceptMail = (mail: IncomingMail) => Promise<AcceptedMail>

/**
 * The common end of every way in for mail: pause, limit, parse, append. A mail for several sources is accepted for all
 * or none.
 */
export const createAcceptMail =
  (ports: AcceptMailPorts): AcceptMail =>
  async ({ bytes, sources, sender, trace, release }) => {
    if (sources.some(({ paused }) => paused)) return SOURCE_PAUSED
    const consumed = await consume(ports.limit, sources)
    if (consumed.kind === 'refusal') return consumed
    const { headers } = consumed
    const [tenant] = tenantsOf(sources)
    if (tenant === undefined) return { kind: 'accepted', snippetIds: [], headers }
    const reading = await ports.reader.read(tenant, bytes, sender).catch(notRead).finally(release)
    if (reading.kind === 'refusal') return reading
    if (reading.kind === 'ignored') return { kind: 'accepted', snippetIds: [], headers }
    // An automatic sender reads no refusal, and a refusal would cause the next report.
    if (reading.kind === 'unreadable' && sender === '') return { kind: 'accepted', snippetIds: [], headers }
    if (reading.kind === 'unreadable') return { ...unreadable(reading.reason), headers }
    const receivedAt = ports.now()
    const drafts = sources.map(source => mailDraft(source, { ...reading, receivedAt }))
    const refused = await appendDrafts(ports, drafts, formatTraceparent(trace))
    if (refused) return { ...refused, headers: { ...headers, ...refused.headers } }
    return { kind: 'accepted', snippetIds: drafts.map(({ record }) => record.signal_id), headers }
  }

/** The sender should repeat the mail: nothing of it was read. */
const notRead = (thrown: unknown): Refusal => {
  const error = asAssayError(thrown)
  if (!error.retriable) throw thrown
  if (error.code === 'busy') return serverOverloaded(10)
  return unavailable('stopping', 'This server is about to stop. Repeat the request.', 1)
}

/** Counts one mail for each of its tenants. Returns the first refusal, else the first tenant's remaining limit. */
const consume = async (limit: RateLimit, sources: readonly Source[]) => {
  const [first, ...others] = await Promise.all(tenantsOf(sources).map(tenant => limit.consume(tenant)))
  return others.find(({ kind }) => kind === 'refusal') ?? first ?? { kind: 'within' as const, headers: {} }
}

/** The distinct tenants of the sources. */
export const tenantsOf = (sources: readonly Source[]): readonly TenantId[] => [
  ...new Set(sources.map(source => source.tenantId)),
]

type UnreadableReason = Extract<MailReading, { kind: 'unreadable' }>['reason']

const UNREADABLE: Readonly<Record<UnreadableReason, string>> = {
  malformed: 'The mail cannot be read as a message (RFC 5322, MIME). Send it again from a mail program.',
  too_complex: 'The mail has too many or too deep parts to be read. Send its text by itself.',
  without_text: 'The mail has neither a subject nor a text; attachments are not kept. Write what it is about.',
}

const unreadable = (reason: UnreadableReason): Refusal => refusal(422, `mail_${reason}`, UNREADABLE[reason])

export interface EmailPorts {
  readonly registry: Pick<Registry, 'find'>
  readonly failures: FailureBudget
  readonly acceptMail: AcceptMail
  /** Memory for the bodies of a tenant. */
  readonly memoryOf: (tenant: TenantId) => Share
  /**
   * The domain of ingestion addresses, and the secret of the mail infrastructure. If either is null, the path answers
   * 404.
   */
  readonly mailDomain: string | null
  readonly emailIngestSecret: string | null
}

/** The key for counting failed proofs: this path has one secret for all its sources. */
const ENDPOINT = 'email-ingest'

/**
 * Mail over HTTP. The secret proves the mail infrastructure, not a source; therefore it is checked first, without
 * reading the body. Then come recipients, body, and the checks of every mail.
 */
export const handlePostedMail = (ports: EmailPorts, { maxBodyBytes }: MailReceiver): RequestHandler => {
  const { mailDomain, emailIngestSecret } = ports
  if (mailDomain === null || emailIngestSecret === null) return async () => CLOSED
  const secretHash = createHash('sha256').update(emailIngestSecret).digest()
  return async (head, body, onSourceFound, trace) => {
    const unproven = prove(ports.failures, head, secretHash)
    if (unproven) return unproven
    const envelope = head.headers['x-envelope-to']
    const known = envelope === undefined ? null : await recipients(ports, recipientsIn(envelope, mailDomain), body)
    if (known?.kind === 'refusal') return known
    const read = readBody(await body.outcome, maxBodyBytes)
    if (read.kind !== 'complete') return read
    const found = known ?? (await recipients(ports, recipientsInHeaders(read.bytes, mailDomain), body))
    if (found.kind === 'refusal') return found
    for (const source of found.sources) onSourceFound(source)
    const accepted = await ports.acceptMail({
      bytes: read.bytes,
      sources: found.sources,
      sender: senderOf(head),
      trace,
      release: body.release,
    })
    return answer(accepted)
  }
}

const CLOSED = refusal(
  404,
  'email_closed',
  'This installation takes no mail here. Its operator opens this way in with EMAIL_INGEST_SECRET and INGEST_MAIL_DOMAIN.',
)

const prove = (failures: FailureBudget, head: RequestHead, secretHash: Buffer): Refusal | null => {
  const sender = addressGroup(head.address())
  const blocked = failures.check(ENDPOINT, () => sender)
  if (blocked) return blocked
  const unproven = checkBearer(head.headers.authorization, [secretHash], HOW)
  if (unproven) failures.fail(ENDPOINT, sender)
  return unproven
}

const HOW = 'Send "Authorization: Bearer <secret>" with the value of EMAIL_INGEST_SECRET.'

/** Finds the recipients, and counts the body for each of their tenants from then on. */
const recipients = async ({ registry, memoryOf }: EmailPorts, ids: readonly SourceId[], body: IncomingBody) => {
  const found = await whilePaused(body, findRecipients(registry, ids))
  if (found.kind === 'refusal') return found
  return body.countIn(fromEach(tenantsOf(found.sources).map(memoryOf))) ? found : serverOverloaded(1)
}

/** `X-Envelope-From`, where the infrastructure passes it on; `<>` is the empty sender. */
const senderOf = ({ headers: { 'x-envelope-from': sent } }: RequestHead): string | null =>
  sent === undefined ? null : sent.replace(/[<>\s]/g, '')

const answer = (accepted: AcceptedMail): Outcome => {
  if (accepted.kind === 'refusal') return accepted
  const [snippetId] = accepted.snippetIds
  const body = snippetId === undefined ? { ok: true, ignored: true } : { ok: true, snippet_id: snippetId }
  return { kind: 'answer', answer: json(body, accepted.headers) }
}
