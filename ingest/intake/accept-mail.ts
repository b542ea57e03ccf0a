import { asAssayError } from '../../infra/runtime/errors.ts'
import { formatTraceparent, type TraceContext } from '../../infra/runtime/traces.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import { type Refusal, refusal, SOURCE_PAUSED, unavailable } from '../answer.ts'
import { type AppendPorts, appendDrafts } from '../append/drafts.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { MailReader, MailReading } from '../receivers/email/reader.ts'
import { mailDraft } from '../receivers/email/receiver.ts'
import type { Source } from '../registry/source.ts'
import { serverOverloaded } from './intake.ts'

export interface AcceptMailPorts extends AppendPorts {
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
   * The envelope's: empty for a report or an automatic answer (RFC 5321 section 4.5.5), null when the envelope is not
   * known.
   */
  readonly sender: string | null
  readonly trace: TraceContext
  /** Called once the bytes are not needed any more. */
  readonly release: () => void
}

export type AcceptedMail =
  | {
      readonly kind: 'accepted'
      /** One for each source, in their order; none when the mail says nothing. */
      readonly snippetIds: readonly SignalId[]
      readonly headers: Readonly<Record<string, string>>
    }
  | Refusal

export type AcceptMail = (mail: IncomingMail) => Promise<AcceptedMail>

/**
 * What every way in for mail ends in: pause, limit, parse, append. A mail for several sources is taken for all of them
 * or for none.
 */
export const createAcceptMail =
  (ports: AcceptMailPorts): AcceptMail =>
  async ({ bytes, sources, sender, trace, release }) => {
    if (sources.some(({ paused }) => paused)) return SOURCE_PAUSED
    const consumed = await consume(ports.limit, sources)
    if (consumed.kind === 'refusal') return consumed
    const { headers } = consumed
    if (sender === '') return { kind: 'accepted', snippetIds: [], headers }
    const reading = await ports.reader.read(bytes).catch(notRead).finally(release)
    if (reading.kind === 'refusal') return reading
    if (reading.kind === 'ignored') return { kind: 'accepted', snippetIds: [], headers }
    if (reading.kind === 'unreadable') return { ...unreadable(reading.reason), headers }
    const receivedAt = ports.now()
    const drafts = sources.map(source => mailDraft(source, { ...reading, receivedAt }))
    const refused = await appendDrafts(ports, drafts, formatTraceparent(trace))
    if (refused) return { ...refused, headers: { ...headers, ...refused.headers } }
    return { kind: 'accepted', snippetIds: drafts.map(({ record }) => record.signal_id), headers }
  }

/** It is sent again later: nothing is known of the mail. */
const notRead = (thrown: unknown): Refusal => {
  const error = asAssayError(thrown)
  if (!error.retriable) throw thrown
  if (error.code === 'busy') return serverOverloaded(10)
  return unavailable('stopping', 'This server is about to stop. Repeat the request.', 1)
}

/**
 * One mail counts once for each tenant that it is for. Answers what the first of them has left, or the first refusal.
 */
const consume = async (limit: RateLimit, sources: readonly Source[]) => {
  const tenants = [...new Set(sources.map(source => source.tenantId))]
  const [first, ...others] = await Promise.all(tenants.map(tenant => limit.consume(tenant)))
  return others.find(({ kind }) => kind === 'refusal') ?? first ?? { kind: 'within' as const, headers: {} }
}

type UnreadableReason = Extract<MailReading, { kind: 'unreadable' }>['reason']

const UNREADABLE: Readonly<Record<UnreadableReason, string>> = {
  malformed: 'The mail cannot be read as a message (RFC 5322, MIME). Send it again from a mail program.',
  too_complex: 'The mail has too many or too deep parts to be read. Send its text by itself.',
  without_text: 'The mail has neither a subject nor a text; attachments are not kept. Write what it is about.',
}

const unreadable = (reason: UnreadableReason): Refusal => refusal(422, `mail_${reason}`, UNREADABLE[reason])
