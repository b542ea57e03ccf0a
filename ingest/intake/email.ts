import { createHash } from 'node:crypto'
import { addressGroup } from '../../infra/runtime/addresses.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'
import { json, type Refusal, refusal } from '../answer.ts'
import type { IncomingBody } from '../http/body.ts'
import type { RequestHead } from '../http/head.ts'
import type { FailureBudget } from '../limits/budgets.ts'
import { checkBearer } from '../proof/prove.ts'
import { findRecipients, recipientsIn, recipientsInHeaders } from '../receivers/email/receiver.ts'
import type { MailReceiver } from '../receivers/receiver.ts'
import type { Registry } from '../registry/registry.ts'
import type { AcceptedMail, AcceptMail } from './accept-mail.ts'
import { type Outcome, type RequestHandler, readBody, whilePaused } from './intake.ts'

export interface EmailPorts {
  readonly registry: Pick<Registry, 'find'>
  readonly failures: FailureBudget
  readonly acceptMail: AcceptMail
  /**
   * The domain of the ingestion addresses, and what the mail infrastructure proves itself with. Without either there is
   * no way in.
   */
  readonly mailDomain: string | null
  readonly emailIngestSecret: string | null
}

/** Who the failed proofs of an address count against: this way in has one secret for all its sources. */
const ENDPOINT = 'email-ingest'

/**
 * The way in for mail over HTTP. Its secret proves the mail infrastructure rather than a source, so that it comes first
 * and costs no body; then recipients, body, and what every mail goes through.
 */
export const handlePostedMail = (ports: EmailPorts, { maxBodyBytes }: MailReceiver): RequestHandler => {
  const { mailDomain, emailIngestSecret } = ports
  if (mailDomain === null || emailIngestSecret === null) return async () => CLOSED
  const secretHash = createHash('sha256').update(emailIngestSecret).digest()
  return async (head, body, onSourceFound, trace) => {
    const unproven = await whilePaused(body, prove(ports.failures, head, secretHash))
    if (unproven) return unproven
    const envelope = head.headers['x-envelope-to']
    const known = envelope === undefined ? null : await recipients(ports, recipientsIn(envelope, mailDomain), body)
    if (known?.kind === 'refusal') return known
    const read = await readBody(body, maxBodyBytes)
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

const prove = async (failures: FailureBudget, head: RequestHead, secretHash: Buffer): Promise<Refusal | null> => {
  const sender = addressGroup(head.address)
  const blocked = await failures.check(ENDPOINT, sender)
  if (blocked) return blocked
  const unproven = checkBearer(head.headers.authorization, [secretHash], HOW)
  if (unproven) await failures.fail(ENDPOINT, sender)
  return unproven
}

const HOW = 'Send "Authorization: Bearer <secret>" with the value of EMAIL_INGEST_SECRET.'

const recipients = (ports: EmailPorts, ids: readonly SourceId[], body: IncomingBody) =>
  whilePaused(body, findRecipients(ports.registry, ids))

/** `X-Envelope-From`, where the infrastructure passes it on; `<>` is the empty sender. */
const senderOf = ({ headers: { 'x-envelope-from': sent } }: RequestHead): string | null =>
  sent === undefined ? null : sent.replace(/[<>\s]/g, '')

const answer = (accepted: AcceptedMail): Outcome => {
  if (accepted.kind === 'refusal') return accepted
  const [snippetId] = accepted.snippetIds
  const body = snippetId === undefined ? { ok: true, ignored: true } : { ok: true, snippet_id: snippetId }
  return { kind: 'answer', answer: json(body, accepted.headers) }
}
