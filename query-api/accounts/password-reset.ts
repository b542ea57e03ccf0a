import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { accountOf, endSessions, forgetResetTokens } from '../../model/accounts/accounts.ts'
import { recordChange } from '../../model/installation/administrators.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import type { OutgoingMail } from '../mail/mail-queue.ts'

interface Options {
  readonly database: Database
  /** Null: this installation sends no mail. */
  readonly mail: OutgoingMail | null
}

const NO_MAIL =
  'This installation sends no mail. Ask an administrator of it for a link: they make it under Settings → Installation.'

/** The way back for whoever has forgotten their password. */
export const createPasswordReset = ({ database, mail }: Options) => {
  return {
    /** How a person gets a link: by mail, or from an administrator. */
    by: mail === null ? 'administrator' : 'mail',
    /**
     * Has a link sent to an address, if an account has it. What happens here is the same for every address: the account
     * is looked up later, by whoever sends. Rejects with `conflict` where no mail is sent.
     */
    request: async (email: string): Promise<void> => {
      if (mail === null) throw new AssayError('conflict', NO_MAIL)
      await database.transaction({ role: 'assay_accounts' }, transaction =>
        mail.put(transaction, 'password_reset', { email }),
      )
      mail.wake()
    },
    /** A link was used: every session ends, every other link is void, it is recorded, and the person is told. */
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
