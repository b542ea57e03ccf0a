import { hashPassword } from 'better-auth/crypto'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { randomSecret } from '../../infra/runtime/secrets.ts'
import {
  type Account,
  accountAt,
  endSessions,
  findAccount,
  forgetResetTokens,
  holdMemberships,
  makeResetToken,
  removeTwoFactor,
  resetLink,
  setAddress,
  setDisabled,
  setPassword,
  setVerified,
} from '../../model/accounts/accounts.ts'
import { listPasskeys, removePasskeys } from '../../model/accounts/passkeys.ts'
import { guardedTransaction, makeAdministrator, recordChange } from '../../model/installation/administrators.ts'
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '../../schemas/domain/limits.ts'

/** What whoever runs the installation does to accounts, at its command line. */

const onAccount = <T>(
  database: Database,
  email: string,
  work: (transaction: Transaction, account: Account) => Promise<T>,
): Promise<T> =>
  guardedTransaction(database, async transaction => {
    await holdMemberships(transaction, email)
    return work(transaction, await findAccount(transaction, email))
  })

/** 120 bits, as 20 characters. */
const PASSWORD_BYTES = 15

/**
 * Gives an account a new password and ends its sessions. Answers the password, which nothing keeps, and how many
 * passkeys the account goes on with.
 */
export const resetPassword = async (
  database: Database,
  email: string,
): Promise<{ readonly password: string; readonly passkeys: number }> => {
  const password = randomSecret(PASSWORD_BYTES)
  return { password, passkeys: await givePassword(database, email, password) }
}

/** Gives an account this password and ends its sessions. Answers how many passkeys it goes on with. */
export const givePassword = async (database: Database, email: string, password: string): Promise<number> => {
  if (password.length < MIN_PASSWORD_CHARACTERS || password.length > MAX_PASSWORD_CHARACTERS) {
    const message = `A password has ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters; this one has ${password.length}. Nothing was changed.`
    throw new AssayError('invalid_input', message)
  }
  const hash = await hashPassword(password)
  return onAccount(database, email, async (transaction, account) => {
    await setPassword(transaction, account.id, hash)
    await endSessions(transaction, account.id)
    await forgetResetTokens(transaction, account.id)
    await recordChange(transaction, { change: 'password_reset', account, by: null })
    return (await listPasskeys(transaction, account.id)).length
  })
}

/** A link by which the person chooses a new password themselves, within an hour. Nothing changes until they do. */
export const makeResetLink = (database: Database, email: string, baseUrl: string): Promise<string> =>
  onAccount(database, email, async (transaction, account) => {
    await recordChange(transaction, { change: 'reset_link_made', account, by: null })
    return resetLink(baseUrl, await makeResetToken(transaction, account.id))
  })

/** Takes the operator's word that the address is the person's. */
export const verifyAddressOf = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    await setVerified(transaction, account.id)
    await recordChange(transaction, { change: 'address_verified', account, by: null })
  })

/**
 * Takes the second factor off somebody who lost their device and their codes. Their sessions go on. False: there was
 * none.
 */
export const takeOffTwoFactor = (database: Database, email: string): Promise<boolean> =>
  onAccount(database, email, async (transaction, account) => {
    const had = await removeTwoFactor(transaction, account.id)
    if (had) await recordChange(transaction, { change: 'two_factor_removed', account, by: null })
    return had
  })

/** For an account whose devices are in other hands. Its sessions go on. Answers how many passkeys there were. */
export const takeOffPasskeys = (database: Database, email: string): Promise<number> =>
  onAccount(database, email, async (transaction, account) => {
    const removed = await removePasskeys(transaction, account.id)
    if (removed > 0) await recordChange(transaction, { change: 'passkeys_removed', account, by: null })
    return removed
  })

/**
 * Gives an account another address, which the operator says is the person's. Rejects with `conflict` where somebody has
 * it.
 */
export const changeAddress = (database: Database, email: string, to: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    const address = to.trim().toLowerCase()
    if (!ADDRESS.test(address))
      throw new AssayError('invalid_input', `${to} is no e-mail address. Nothing was changed.`)
    if ((await accountAt(transaction, address)) !== undefined) {
      throw new AssayError('conflict', `Somebody here has the address ${address} already. Nothing was changed.`)
    }
    await setAddress(transaction, account.id, address)
    await forgetResetTokens(transaction, account.id)
    await recordChange(transaction, { change: 'address_changed', account, by: null })
  })

const ADDRESS = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]{1,189}$/

/**
 * Ends an account's sessions and what its keys may do at once, until it is enabled again. The last administrator is
 * refused.
 */
export const disableAccount = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    await endSessions(transaction, account.id)
    if (account.disabled_at !== null) return
    await setDisabled(transaction, account.id, true)
    await recordChange(transaction, { change: 'disabled', account, by: null })
  })

export const enableAccount = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    if (account.disabled_at === null) return
    await setDisabled(transaction, account.id, false)
    await recordChange(transaction, { change: 'enabled', account, by: null })
  })

/** Makes the person with an address an administrator, beside those who are. */
export const appointAdministrator = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    if (account.disabled_at !== null) {
      throw new AssayError('conflict', `The account of ${account.email} is disabled. Enable it first.`)
    }
    await makeAdministrator(transaction, account, null)
  })
