import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { accountAt, accountOf } from '../../model/accounts/accounts.ts'
import { type AuditSubject, recordAudit } from '../../model/audit/audit-log.ts'
import { recordChange } from '../../model/installation/administrators.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import type { AccountEvent } from '../../schemas/domain/vocabulary.ts'
import type { OutgoingMail } from '../mail/mail-queue.ts'

interface Options {
  readonly database: Database
  /** Null when the installation sends no mail. */
  readonly mail: OutgoingMail | null
  readonly log: Pick<Logger, 'error'>
}

interface Person {
  readonly id: string
  readonly name: string
  /** The address before the change; the mail about the change goes there. */
  readonly email: string
}

interface Facts {
  readonly clientAddress: string | null
  readonly detail?: AuditSubject['detail']
}

/**
 * Mails a notice of an event to the address before the change: a thief of the account would change the address first.
 */
const noticeOf = async (mail: OutgoingMail, transaction: Transaction, event: AccountEvent, email: string) => {
  if (event === 'password_changed') await mail.put(transaction, 'password_changed', { email })
  if (event === 'address_changed') await mail.put(transaction, 'address_changed', { email })
  if (
    event === 'two_factor_enabled' ||
    event === 'two_factor_disabled' ||
    event === 'backup_codes_made' ||
    event === 'passkey_added' ||
    event === 'passkey_removed' ||
    event === 'sign_on_linked'
  ) {
    await mail.put(transaction, 'sign_in_changed', { email, change: event })
  }
}

/**
 * Records account events of the library, which writes in its own transactions: after the library is done, the event
 * enters the audit log and the person gets a mail.
 */
export const createAccountEvents = ({ database, mail, log }: Options) => {
  const inAccounts = async (work: (transaction: Transaction) => Promise<void>): Promise<void> => {
    try {
      await database.transaction({ role: 'assay_accounts' }, work)
      mail?.wake()
    } catch (error) {
      // The change has happened, so the answer stays a success.
      log.error(logged(error), 'What happened to an account is not in the audit log.')
    }
  }
  return {
    /** Records an event of a person's own account. */
    record: (event: AccountEvent, person: Person, { clientAddress, detail = {} }: Facts): Promise<void> =>
      inAccounts(async transaction => {
        await recordChange(transaction, { change: event, account: person, by: person, detail, clientAddress })
        if (mail !== null) await noticeOf(mail, transaction, event, person.email)
      }),
    /** Records an event when only the account's id is known. */
    recordOf: (event: AccountEvent, id: UserId, { clientAddress, detail = {} }: Facts): Promise<void> =>
      inAccounts(async transaction => {
        const account = await accountOf(transaction, id)
        if (account === undefined) return
        await recordChange(transaction, { change: event, account, by: account, detail, clientAddress })
        if (mail !== null) await noticeOf(mail, transaction, event, account.email)
      }),
    /**
     * Records a failed sign-in with a code of ours or of the library. The typed address is not stored, because people
     * type passwords there; only the account is, if the address has one.
     */
    signInFailed: (email: string | null, reason: string, clientAddress: string | null): Promise<void> =>
      inAccounts(async transaction => {
        const account = email === null ? undefined : await accountAt(transaction, email)
        await recordAudit(transaction, {
          action: 'sign_in_failed',
          by: { kind: 'nobody' },
          id: account?.id ?? null,
          name: account?.name ?? null,
          detail: { reason },
          clientAddress,
        })
      }),
  }
}

export type AccountEvents = ReturnType<typeof createAccountEvents>
