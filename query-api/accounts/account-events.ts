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
  /** Null: this installation sends no mail. */
  readonly mail: OutgoingMail | null
  readonly log: Pick<Logger, 'error'>
}

interface Person {
  readonly id: string
  readonly name: string
  /** The address that they have had so far: it is told of what changed. */
  readonly email: string
}

interface Facts {
  readonly clientAddress: string | null
  readonly detail?: AuditSubject['detail']
}

/**
 * Of what a person is told by mail, at the address that they had before: a thief of the account would change that
 * first.
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
 * What happens to accounts through the account library, which writes in transactions of its own: it is added to the
 * audit log, and the person told, as soon as the library is done.
 */
export const createAccountEvents = ({ database, mail, log }: Options) => {
  const inAccounts = async (work: (transaction: Transaction) => Promise<void>): Promise<void> => {
    try {
      await database.transaction({ role: 'assay_accounts' }, work)
      mail?.wake()
    } catch (error) {
      // What was done is done: an answer that says otherwise would be untrue.
      log.error(logged(error), 'What happened to an account is not in the audit log.')
    }
  }
  return {
    /** Something that a person did with their own account. */
    record: (event: AccountEvent, person: Person, { clientAddress, detail = {} }: Facts): Promise<void> =>
      inAccounts(async transaction => {
        await recordChange(transaction, { change: event, account: person, by: person, detail, clientAddress })
        if (mail !== null) await noticeOf(mail, transaction, event, person.email)
      }),
    /** As `record`, where the id alone is known. */
    recordOf: (event: AccountEvent, id: UserId, { clientAddress, detail = {} }: Facts): Promise<void> =>
      inAccounts(async transaction => {
        const account = await accountOf(transaction, id)
        if (account === undefined) return
        await recordChange(transaction, { change: event, account, by: account, detail, clientAddress })
        if (mail !== null) await noticeOf(mail, transaction, event, account.email)
      }),
    /**
     * A sign-in that failed, by a code of ours or of the library. What was typed for an address is not kept, as people
     * type passwords there: only whose account it is, where it is one.
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
