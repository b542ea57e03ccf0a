import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { TraceContext } from '../../infra/runtime/traces.ts'
import { beginSpan } from '../../infra/telemetry/spans.ts'
import { parseIngestionAddress } from '../../model/sources/ingestion-address.ts'
import type { ByteBudget } from '../append/byte-budget.ts'
import type { AcceptMail } from '../intake/accept-mail.ts'
import { internalFailure, type ObservedRequest } from '../intake/intake.ts'
import { payloadTooLarge, serverOverloaded } from '../intake/read-body.ts'
import { findRecipients } from '../intake/recipients.ts'
import { emailReceiver } from '../receivers/email/receiver.ts'
import type { Refusal } from '../refusal.ts'
import type { Registry } from '../registry/registry.ts'
import type { Source } from '../registry/source.ts'
import { collectMessage } from './collect.ts'

export interface TakeMailPorts {
  readonly registry: Pick<Registry, 'find'>
  readonly acceptMail: AcceptMail
  readonly budget: ByteBudget
  readonly observe: (observed: ObservedRequest) => void
  readonly logger: Pick<Logger, 'error'>
  /** The domain of the ingestion addresses. */
  readonly domain: string
}

type TakenMail = { readonly kind: 'accepted'; readonly message: string } | { readonly kind: 'aborted' } | Refusal

/** Takes what follows DATA, for the recipients that the dialogue agreed on. Resolves with `accepted` once the mail is durable. */
export const handleMail = async (
  ports: TakeMailPorts,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
  onEndless: () => void,
): Promise<TakenMail> => {
  const sources: Source[] = []
  const span = beginSpan({ name: 'SMTP DATA', kind: 'server', parent: null })
  const { trace } = span
  const taken = await take(ports, stream, envelope, sources, trace, onEndless).catch(
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
  { registry, acceptMail, budget, domain }: TakeMailPorts,
  stream: SMTPServerDataStream,
  { mailFrom, rcptTo }: SMTPServerSession['envelope'],
  sources: Source[],
  trace: TraceContext,
  onEndless: () => void,
): Promise<TakenMail> => {
  const collected = await collectMessage(stream, emailReceiver.maxBodyBytes, budget, onEndless)
  if (collected.kind === 'aborted') return collected
  if (collected.kind === 'too_large') return payloadTooLarge(emailReceiver.maxBodyBytes)
  if (collected.kind === 'overloaded') return serverOverloaded(1)
  const { bytes, release } = collected
  try {
    // Asked again: a recipient may be gone since the dialogue.
    const ids = rcptTo.flatMap(({ address }) => parseIngestionAddress(address, domain) ?? [])
    const found = await findRecipients(registry, [...new Set(ids)])
    if (found.kind === 'refusal') return found
    sources.push(...found.sources)
    const sender = mailFrom === false ? null : mailFrom.address
    const accepted = await acceptMail({ bytes, sources, sender, trace, release })
    if (accepted.kind === 'refusal') return accepted
    const { snippetIds } = accepted
    return { kind: 'accepted', message: snippetIds.length === 0 ? 'OK ignored' : `OK ${snippetIds.join(' ')}` }
  } finally {
    release()
  }
}
