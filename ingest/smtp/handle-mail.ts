import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { addressGroup } from '../../infra/runtime/addresses.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { fromEach, type Share } from '../../infra/runtime/shares.ts'
import type { TraceContext } from '../../infra/runtime/traces.ts'
import { beginSpan } from '../../infra/telemetry/spans.ts'
import { parseIngestionAddress } from '../../model/sources/ingestion-address.ts'
import type { TenantId } from '../../schemas/domain/ids.ts'
import type { Refusal } from '../answer.ts'
import type { ByteBudget } from '../append/byte-budget.ts'
import type { BodyDeadlines } from '../http/body-flow.ts'
import { internalFailure, type ObservedRequest, readBody } from '../intake/intake.ts'
import { type AcceptMail, tenantsOf } from '../intake/mail.ts'
import { emailReceiver, findRecipients } from '../receivers/email/receiver.ts'
import type { Registry } from '../registry/registry.ts'
import type { Source } from '../registry/source.ts'
import { collectMail } from './collect-mail.ts'

export interface TakeMailPorts {
  readonly registry: Pick<Registry, 'find'>
  readonly acceptMail: AcceptMail
  /** Memory for everything under way. */
  readonly budget: ByteBudget
  /** Memory for the bodies of a tenant, mail and others. */
  readonly memoryOf: (tenant: TenantId) => Share
  /** Memory for the mail of a sender, by address group. */
  readonly memoryOfSender: (group: string) => Share
  readonly deadlines: BodyDeadlines
  readonly observe: (observed: ObservedRequest) => void
  readonly logger: Pick<Logger, 'error'>
  /** The domain of ingestion addresses. */
  readonly domain: string
}

type TakenMail = { readonly kind: 'accepted'; readonly message: string } | { readonly kind: 'aborted' } | Refusal

/** Takes the mail after DATA, for the accepted recipients. Resolves with `accepted` once the mail is durable. */
export const handleMail = async (
  ports: TakeMailPorts,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  onEndless: () => void,
): Promise<TakenMail> => {
  const sources: Source[] = []
  const span = beginSpan({ name: 'SMTP DATA', kind: 'server', parent: null })
  const { trace } = span
  const taken = await take(ports, stream, session, sources, trace, onEndless).catch(
    internalFailure(ports.logger, emailReceiver.name, trace),
  )
  const refused = { accepted: null, aborted: 'aborted', refusal: taken.kind === 'refusal' ? taken.reason : null }
  for (const source of sources.length > 0 ? sources : [null]) {
    ports.observe({ receiver: emailReceiver.name, source, refused: refused[taken.kind] })
  }
  span.end({ failed: refused[taken.kind] ?? undefined })
  return taken
}

const take = async (
  { registry, acceptMail, budget, memoryOf, memoryOfSender, deadlines, domain }: TakeMailPorts,
  stream: SMTPServerDataStream,
  { envelope: { mailFrom, rcptTo }, remoteAddress }: SMTPServerSession,
  sources: Source[],
  trace: TraceContext,
  onEndless: () => void,
): Promise<TakenMail> => {
  const ids = rcptTo.flatMap(({ address }) => parseIngestionAddress(address, domain) ?? [])
  const recipients = () => findRecipients(registry, [...new Set(ids)])
  const expected = await recipients()
  if (expected.kind === 'refusal') return expected
  const shares = [memoryOfSender(addressGroup(remoteAddress)), ...tenantsOf(expected.sources).map(memoryOf)]
  const { maxBodyBytes: maxBytes } = emailReceiver
  const memory = fromEach([budget, ...shares])
  const { outcome, release } = await collectMail(stream, { maxBytes, memory, deadlines, onEndless })
  try {
    const read = readBody(outcome, maxBytes)
    if (read.kind !== 'complete') return read
    // Looked up again: a recipient may have been deleted during the mail.
    const found = await recipients()
    if (found.kind === 'refusal') return found
    sources.push(...found.sources)
    const sender = mailFrom === false ? null : mailFrom.address
    const accepted = await acceptMail({ bytes: read.bytes, sources, sender, trace, release })
    if (accepted.kind === 'refusal') return accepted
    const { snippetIds } = accepted
    return { kind: 'accepted', message: snippetIds.length === 0 ? 'OK ignored' : `OK ${snippetIds.join(' ')}` }
  } finally {
    release()
  }
}
