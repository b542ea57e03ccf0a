import type { Readable } from 'node:stream'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { TraceContext } from '../../infra/runtime/traces.ts'
import { beginSpan } from '../../infra/telemetry/spans.ts'
import { parseIngestionAddress } from '../../model/sources/ingestion-address.ts'
import type { Refusal } from '../answer.ts'
import type { ByteBudget } from '../append/byte-budget.ts'
import { internalFailure, type ObservedRequest, payloadTooLarge, serverOverloaded } from '../intake/intake.ts'
import type { AcceptMail } from '../intake/mail.ts'
import { emailReceiver, findRecipients } from '../receivers/email/receiver.ts'
import type { Registry } from '../registry/registry.ts'
import type { Source } from '../registry/source.ts'

type Collected =
  | { readonly kind: 'complete'; readonly bytes: Buffer; readonly release: () => void }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'aborted' }

/**
 * Reads a mail of at most `maxBytes`. A larger one is read on and dropped, so that its sender gets to read the answer;
 * `onEndless` is called when it is twice as large. Frees everything it holds unless the mail is complete.
 */
const collectMessage = async (
  stream: Readable,
  maxBytes: number,
  budget: ByteBudget,
  onEndless: () => void,
): Promise<Collected> => {
  const chunks: Buffer[] = []
  let received = 0
  let buffered = 0
  let refused: 'too_large' | 'overloaded' | null = null
  const release = () => {
    chunks.length = 0
    budget.give(buffered)
    buffered = 0
  }
  const refuse = (reason: 'too_large' | 'overloaded') => {
    refused ??= reason
    release()
  }
  try {
    for await (const chunk of stream) {
      received += chunk.length
      if (received > 2 * maxBytes) onEndless()
      if (refused !== null) continue
      if (received > maxBytes) refuse('too_large')
      else if (budget.take(chunk.length)) {
        buffered += chunk.length
        chunks.push(chunk)
      } else refuse('overloaded')
    }
  } catch {
    // The client left before the end of its mail.
    release()
    return { kind: 'aborted' }
  }
  if (refused !== null) return { kind: refused }
  return { kind: 'complete', bytes: Buffer.concat(chunks), release }
}

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

/**
 * Takes what follows DATA, for the recipients that the dialogue agreed on. Resolves with `accepted` once the mail is
 * durable.
 */
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
