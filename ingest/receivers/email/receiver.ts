import type { ProjectedMail } from '../../../schemas/http/email.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import type { ReceiverInfo } from '../../intake/route.ts'
import type { Limit } from '../../limits/counter.ts'
import type { Source } from '../../registry/source.ts'
import { signalDraft } from '../signal-draft.ts'

export const EMAIL_PATH = '/api/webhooks/email-ingest'
export const MAX_MAIL_BYTES = 10 * 1024 * 1024

/** The way in for mail: one path for all workspaces, since the addresses that a mail goes to say whose it is. */
export const EMAIL_RECEIVER: ReceiverInfo = {
  name: 'email',
  contentTypes: ['message/rfc822'],
  maxBodyBytes: MAX_MAIL_BYTES,
}

export const EMAIL_LIMIT: Limit = { requests: 50, seconds: 3600, per: 'tenant' }

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
  return signalDraft({ source, receivedAt }, 'email', messageId ?? undefined, content)
}
