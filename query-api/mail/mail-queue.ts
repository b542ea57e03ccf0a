import type { Transaction } from '../../infra/postgres/port.ts'
import { createPseudonymizer, createSealer, type InstallationKey } from '../../infra/runtime/secrets.ts'
import { insertMail, type LeasedMail } from '../../model/mail/outgoing-mail.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import type { MailKind } from '../../schemas/domain/vocabulary.ts'
import type { MailContent, MailContents } from './messages.ts'

/** Hours after which an unsent mail is given up. */
const HOURS: Readonly<Record<MailKind, number>> = {
  password_reset: 24,
  password_changed: 72,
  verification: 24,
  invitation: 72,
  address_changed: 72,
  sign_in_changed: 72,
  digest: 24,
}

/** Waiting mails, sealed: a copy of the database shows neither their recipients nor their links. */
export const createMailQueue = (installationKey: InstallationKey) => {
  const { seal, unseal } = createSealer(installationKey)
  const pseudonym = createPseudonymizer(installationKey, 'mail')
  const recipientOf = (email: string): string => pseudonym(email.trim().toLowerCase())
  return {
    recipientOf,
    /** The mail is sent after the transaction has committed. */
    put: <Kind extends MailKind>(
      transaction: Transaction,
      kind: Kind,
      content: MailContents[Kind],
      askedBy: UserId | null = null,
    ): Promise<void> =>
      insertMail(transaction, {
        kind,
        recipient: recipientOf(content.email),
        sealed: seal(JSON.stringify(content)),
        askedBy,
        hours: HOURS[kind],
      }),
    /** Content of a waiting mail. Throws `internal` for content that another key sealed. */
    open: ({ kind, sealed }: LeasedMail): MailContent =>
      // `put` has sealed the fields of this kind.
      ({ kind, ...JSON.parse(unseal(sealed)) }) as MailContent,
  }
}

export type MailQueue = ReturnType<typeof createMailQueue>

/** The part of the queue for code that queues mails. */
export interface OutgoingMail extends Pick<MailQueue, 'put' | 'recipientOf'> {
  /** Called after the commit, because a person waits for the mail. */
  readonly wake: () => void
}
