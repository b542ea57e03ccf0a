import type { Transaction } from '../../infra/postgres/port.ts'
import { createPseudonymizer, createSealer, type InstallationKey } from '../../infra/runtime/secrets.ts'
import { insertMail, type LeasedMail } from '../../model/mail/outgoing-mail.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import type { MailKind } from '../../schemas/domain/vocabulary.ts'
import type { MailContent, MailContents } from './messages.ts'

/** How long each is worth sending, while no mail server takes it. */
const HOURS: Readonly<Record<MailKind, number>> = {
  password_reset: 24,
  password_changed: 72,
  verification: 24,
  invitation: 72,
  address_changed: 72,
  sign_in_changed: 72,
  digest: 24,
}

/** Where mails wait, sealed: a copy of the database tells neither whom they are for nor what opens their links. */
export const createMailQueue = (installationKey: InstallationKey) => {
  const { seal, unseal } = createSealer(installationKey)
  const pseudonym = createPseudonymizer(installationKey, 'mail')
  const recipientOf = (email: string): string => pseudonym(email.trim().toLowerCase())
  return {
    recipientOf,
    /** Has it sent once the transaction has committed. */
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
    /** What waits. Throws `internal` for what was sealed with another key. */
    open: ({ kind, sealed }: LeasedMail): MailContent =>
      // `put` has sealed what this kind needs.
      ({ kind, ...JSON.parse(unseal(sealed)) }) as MailContent,
  }
}

export type MailQueue = ReturnType<typeof createMailQueue>

/** What those see of it who have mails sent. */
export interface OutgoingMail extends Pick<MailQueue, 'put' | 'recipientOf'> {
  /** Called once the transaction has committed: somebody waits for the mail. */
  readonly wake: () => void
}
