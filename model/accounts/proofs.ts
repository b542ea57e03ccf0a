import type { Hold } from '../../infra/postgres/held-writes.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import { holdSession } from './accounts.ts'

/** The account is locked before its sessions, as by disabling and deleting an account. */
const HOLD_ACCOUNT = `select from account_users where id = $1 for no key update`
const HOLD_PASSWORD = `
  select password from account_credentials where user_id = $1 and provider_id = 'credential' for share`
const PASSWORD_AT = `
  select user_id, password from account_credentials
  where provider_id = 'credential' and user_id = (select id from account_users where email = lower($1))`
const PASSKEY = `select from account_passkeys where credential_id = $1`

/** The hash of an account's password, locked until the transaction ends; null without a password. */
const heldPassword = async (transaction: Transaction, user: UserId): Promise<string | null> =>
  (await transaction.query<{ password: string | null }>(HOLD_PASSWORD, [user]))[0]?.password ?? null

const ended = () =>
  new AssayError('unauthorized', 'Your session has ended meanwhile, and nothing more was changed. Sign in again.')

/**
 * A hold by a session, for writes. A write that ends its own session, as a new password does, goes on with the password
 * that it left: another new password ends the hold.
 */
export const bySession = (user: UserId, session: string): Hold => {
  let password: string | null | undefined
  return {
    holds: async transaction => {
      await transaction.query(HOLD_ACCOUNT, [user])
      if (password !== undefined) return (await heldPassword(transaction, user)) === password
      return holdSession(transaction, user, session)
    },
    written: async transaction => {
      if (password !== undefined || (await holdSession(transaction, user, session))) return
      password = await heldPassword(transaction, user)
    },
    refusal: ended,
  }
}

const nothing = async (): Promise<void> => {}
const replaced = () =>
  new AssayError('unauthorized', 'What you signed in with was replaced meanwhile. Sign in with what holds now.')

/**
 * A hold by the present password of the account at an address: a new password before the session begins ends the hold.
 * Null without such an account, which the library refuses.
 */
export const byPasswordOf = async (transaction: Transaction, email: string): Promise<Hold | null> => {
  interface Row {
    readonly user_id: UserId
    readonly password: string | null
  }
  const [row] = await transaction.query<Row>(PASSWORD_AT, [email])
  if (row === undefined) return null
  return {
    holds: async held => (await heldPassword(held, row.user_id)) === row.password,
    written: nothing,
    refusal: replaced,
  }
}

/** A hold by a passkey: its removal before the session begins ends the hold. Null without such a passkey. */
export const byPasskey = async (transaction: Transaction, credential: string): Promise<Hold | null> => {
  if ((await transaction.query(PASSKEY, [credential])).length === 0) return null
  return {
    holds: async held => (await held.query(`${PASSKEY} for key share`, [credential])).length > 0,
    written: nothing,
    refusal: replaced,
  }
}
