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

/** Account commands of the person who runs the installation, at the command line. */

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
 * Sets a random password and ends the account's sessions. Answers the password, which is not stored in plain text, and
 * the number of the account's passkeys.
 */
export const resetPassword = async (
  database: Database,
  email: string,
): Promise<{ readonly password: string; readonly passkeys: number }> => {
  const password = randomSecret(PASSWORD_BYTES)
  return { password, passkeys: await givePassword(database, email, password) }
}

/** Sets this password and ends the account's sessions. Answers the number of its passkeys. */
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

/** A link with which the person chooses a new password within an hour. Nothing changes before that. */
export const makeResetLink = (database: Database, email: string, baseUrl: string): Promise<string> =>
  onAccount(database, email, async (transaction, account) => {
    await recordChange(transaction, { change: 'reset_link_made', account, by: null })
    return resetLink(baseUrl, await makeResetToken(transaction, account.id))
  })

/** Marks the address as verified on the operator's word. */
export const verifyAddressOf = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    await setVerified(transaction, account.id)
    await recordChange(transaction, { change: 'address_verified', account, by: null })
  })

/**
 * Removes the second factor of a person who lost their device and their codes. Sessions continue. False without a
 * second factor.
 */
export const takeOffTwoFactor = (database: Database, email: string): Promise<boolean> =>
  onAccount(database, email, async (transaction, account) => {
    const had = await removeTwoFactor(transaction, account.id)
    if (had) await recordChange(transaction, { change: 'two_factor_removed', account, by: null })
    return had
  })

/**
 * Removes all passkeys of an account whose devices are in other hands. Sessions continue. Answers the number of removed
 * passkeys.
 */
export const takeOffPasskeys = (database: Database, email: string): Promise<number> =>
  onAccount(database, email, async (transaction, account) => {
    const removed = await removePasskeys(transaction, account.id)
    if (removed > 0) await recordChange(transaction, { change: 'passkeys_removed', account, by: null })
    return removed
  })

/** Changes an account's address on the operator's word. Rejects with `conflict` when the address is taken. */
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
 * Ends an account's sessions and blocks its keys at once, until the account is enabled again. Refuses for the last
 * administrator.
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

/** Makes the account with this address another administrator. */
export const appointAdministrator = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    if (account.disabled_at !== null) {
      throw new AssayError('conflict', `The account of ${account.email} is disabled. Enable it first.`)
    }
    await makeAdministrator(transaction, account, null)
  })
