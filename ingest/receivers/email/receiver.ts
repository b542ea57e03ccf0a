import { textHash } from '../../../model/signals/normalize.ts'
import { parseIngestionAddress } from '../../../model/sources/ingestion-address.ts'
import { DESCRIPTIONS } from '../../../model/sources/kinds/index.ts'
import type { Automatic } from '../../../schemas/domain/automatic-mail.ts'
import type { SourceId } from '../../../schemas/domain/ids.ts'
import { TEST_SUBJECT } from '../../../schemas/domain/source-form.ts'
import type { ProjectedMail } from '../../../schemas/http/email.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { type Refusal, refusal, unavailable } from '../../answer.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Source } from '../../registry/source.ts'
import { signalDraft } from '../drafts.ts'
import type { MailReceiver } from '../receiver.ts'
import { keptCuts } from './kept-cuts.ts'

const { path, contentTypes, maxBodyBytes, limit } = DESCRIPTIONS.email.intake

/** Mail over HTTP. One path serves all workspaces: the recipients' addresses identify the sources. */
export const emailReceiver: MailReceiver = {
  takes: 'mail',
  name: 'email',
  path,
  contentTypes,
  maxBodyBytes,
  limit: { ...limit, per: 'tenant' },
}

const servesMail = (source: Source): boolean => source.kind === 'email'

interface ReceivedMail {
  readonly mail: ProjectedMail
  /** The mail's Message-ID; null without one. */
  readonly messageId: string | null
  /** Why the mail is kept apart; null for a person's mail. */
  readonly automatic: Automatic | null
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/**
 * The signal of a mail for one recipient. The same mail gives the same signal when it is delivered or forwarded again.
 */
export const mailDraft = (source: Source, { mail, messageId, automatic, receivedAt }: ReceivedMail) => {
  const instant = mail.occurred_at === null ? null : parseInstant(mail.occurred_at, receivedAt)
  const occurredAt = instant?.ok ? instant.at : null
  const body: ProjectedMail = { ...mail, occurred_at: occurredAt, ...keptCuts(mail.cuts) }
  const content = { format: 'email' as const, body: JSON.stringify(body) }
  // By hash of the text, since programs wrap the lines of a forwarded mail differently.
  const said = [textHash(mail.subject), textHash(mail.text), mail.author.name, mail.author.email]
  const draft = signalDraft({ source, receivedAt }, 'email', messageId ?? undefined, said, content)
  const isTest = mail.subject.trim() === TEST_SUBJECT
  return { ...draft, record: { ...draft.record, is_test: isTest, automatic: isTest ? null : automatic } }
}

type Recipients = { readonly kind: 'found'; readonly sources: readonly Source[] } | Refusal

/** The mail sources among these ids: `404` when there is none, `503` when the registry cannot tell for one of them. */
export const findRecipients = async (
  registry: Pick<Registry, 'find'>,
  ids: readonly SourceId[],
): Promise<Recipients> => {
  const all = await Promise.all(ids.map(id => registry.find(id)))
  const sources = all.flatMap(found => (found.kind === 'found' && servesMail(found.source) ? [found.source] : []))
  if (all.some(({ kind }) => kind === 'unavailable')) return REGISTRY_UNAVAILABLE
  return sources.length === 0 ? UNKNOWN_RECIPIENT : { kind: 'found', sources }
}

const REGISTRY_UNAVAILABLE = unavailable(
  'registry_unavailable',
  'Whether this recipient exists cannot be said right now. Send the mail again.',
  2,
)

export const UNKNOWN_RECIPIENT = refusal(
  404,
  'unknown_recipient',
  'None of the recipients is an ingestion address. Copy the address from Settings → Sources; a replaced one does not come back.',
)

/** Limit of recipients: no person's mail has more of our addresses. */
export const MAX_RECIPIENTS = 50
/** Bytes that are searched for the end of the headers. */
const MAX_HEADER_BYTES = 256 * 1024
const RECIPIENT_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to'])

/** The distinct sources of the ingestion addresses in a list. Other addresses are ignored. */
export const recipientsIn = (addresses: string, domain: string): readonly SourceId[] => {
  const ids = new Set<SourceId>()
  for (const word of addresses.split(/[\s<>,;:"'()]+/)) {
    const id = parseIngestionAddress(word, domain)
    if (id !== null) ids.add(id)
    if (ids.size === MAX_RECIPIENTS) break
  }
  return [...ids]
}

/** The sources in a mail's own headers, for a way in without an envelope. */
export const recipientsInHeaders = (mail: Buffer, domain: string): readonly SourceId[] => {
  const head = mail.toString('latin1', 0, MAX_HEADER_BYTES)
  const end = /\r?\n\r?\n/.exec(head)
  const lines = head.slice(0, end?.index ?? head.length).split(/\r?\n(?![ \t])/)
  const wanted = lines.filter(line => RECIPIENT_HEADERS.has(line.slice(0, line.indexOf(':')).trim().toLowerCase()))
  return recipientsIn(wanted.map(line => line.slice(line.indexOf(':') + 1)).join('\n'), domain)
}
