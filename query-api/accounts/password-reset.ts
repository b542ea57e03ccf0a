import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { accountOf, endSessions, forgetResetTokens } from '../../model/accounts/accounts.ts'
import { recordChange } from '../../model/installation/administrators.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import type { OutgoingMail } from '../mail/mail-queue.ts'

interface Options {
  readonly database: Database
  /** Null when the installation sends no mail. */
  readonly mail: OutgoingMail | null
}

const NO_MAIL =
  'This installation sends no mail. Ask an administrator of it for a link: they make it under Settings → Installation.'

/** Lets a person who has forgotten their password choose a new one. */
export const createPasswordReset = ({ database, mail }: Options) => {
  return {
    /** Origin of the link: a mail, or an administrator. */
    by: mail === null ? 'administrator' : 'mail',
    /**
     * Queues a mail with a link to an address. Takes the same steps for every address, because the mail sender looks up
     * the account later. Rejects with `conflict` when the installation sends no mail.
     */
    request: async (email: string): Promise<void> => {
      if (mail === null) throw new AssayError('conflict', NO_MAIL)
      await database.transaction({ role: 'assay_accounts' }, transaction =>
        mail.put(transaction, 'password_reset', { email }),
      )
      mail.wake()
    },
    /**
     * Runs after a link was used: ends every session, invalidates every other link, records the event, and mails the
     * person.
     */
    used: async (user: UserId): Promise<void> => {
      await database.transaction({ role: 'assay_accounts' }, async transaction => {
        const account = await accountOf(transaction, user)
        if (account === undefined) return
        await endSessions(transaction, user)
        await forgetResetTokens(transaction, user)
        await recordChange(transaction, { change: 'password_reset', account, by: account })
        await mail?.put(transaction, 'password_changed', { email: account.email })
      })
      mail?.wake()
    },
  }
}

export type PasswordReset = ReturnType<typeof createPasswordReset>
