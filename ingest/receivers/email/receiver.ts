import { DESCRIPTIONS } from '../../../model/sources/kinds/index.ts'
import { TEST_SUBJECT } from '../../../schemas/domain/source-form.ts'
import type { ProjectedMail } from '../../../schemas/http/email.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import type { Source } from '../../registry/source.ts'
import { signalDraft } from '../drafts.ts'
import type { MailReceiver } from '../receiver.ts'

const { path, contentTypes, maxBodyBytes, limit } = DESCRIPTIONS.email.intake

/** The way in for mail: one path for all workspaces, since the addresses that a mail goes to say whose it is. */
export const emailReceiver: MailReceiver = {
  takes: 'mail',
  name: 'email',
  path,
  contentTypes,
  maxBodyBytes,
  limit: { ...limit, per: 'tenant' },
}

/** True for the sources that mail is for. */
export const servesMail = (source: Source): boolean => source.kind === 'email'

interface ReceivedMail {
  readonly mail: ProjectedMail
  /** What the mail calls itself; null when it does not. */
  readonly messageId: string | null
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/** The signal that a mail is to one of its recipients. The same mail delivered again is the same signal. */
export const mailDraft = (source: Source, { mail, messageId, receivedAt }: ReceivedMail) => {
  const instant = mail.occurred_at === null ? null : parseInstant(mail.occurred_at, receivedAt)
  const body: ProjectedMail = { ...mail, occurred_at: instant?.ok ? instant.at : null }
  const content = { format: 'email' as const, body: JSON.stringify(body) }
  const said = [mail.subject, mail.text, mail.author.name, mail.author.email]
  const draft = signalDraft({ source, receivedAt }, 'email', messageId ?? undefined, said, content)
  return { ...draft, record: { ...draft.record, is_test: mail.subject.trim() === TEST_SUBJECT } }
}
