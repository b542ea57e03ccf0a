import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { randomSecret, sha256 } from '../../infra/runtime/secrets.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

export interface Account {
  readonly id: UserId
  readonly name: string
  readonly email: string
  readonly disabled_at: Date | null
}

const FIND = `select id, name, email, disabled_at from account_users where email = lower($1) for update`

const OF = `select id, name, email, disabled_at from account_users where id = $1`

export const accountOf = async (transaction: Transaction, id: UserId): Promise<Account | undefined> =>
  (await transaction.query<Account>(OF, [id]))[0]

/** The account with an address, locked; undefined without one. */
export const accountAt = async (transaction: Transaction, email: string): Promise<Account | undefined> =>
  (await transaction.query<Account>(FIND, [email.trim()]))[0]

/**
 * The account with an address, locked. Rejects with `not_found`, which shows which addresses have no account: for
 * operators and administrators alone.
 */
export const findAccount = async (transaction: Transaction, email: string): Promise<Account> => {
  const account = await accountAt(transaction, email)
  if (account !== undefined) return account
  throw new AssayError('not_found', `No account here has the address ${email.trim()}.`)
}

export interface ListedAccount {
  readonly name: string
  readonly email: string
  readonly created_at: Date
  readonly disabled_at: Date | null
  readonly administers: boolean
  readonly workspaces: number
  readonly sessions: number
}

const LIST = `
  select name, email, created_at, disabled_at,
    exists (select from administrators where user_id = id) as administers,
    (select count(*)::integer from members where user_id = account_users.id) as workspaces,
    (select count(*)::integer from account_sessions where user_id = account_users.id) as sessions
  from account_users order by created_at, id`

/** All accounts, oldest first. */
export const listAccounts = (database: Database): Promise<ListedAccount[]> =>
  database.transaction({ role: 'assay_accounts' }, transaction => transaction.query<ListedAccount>(LIST))

const ANY = `select from account_users limit 1`

export const hasAccounts = async (transaction: Transaction): Promise<boolean> =>
  (await transaction.query(ANY)).length > 0

const SET_PASSWORD = `
  update account_credentials set password = $2, updated_at = now()
  where user_id = $1 and provider_id = 'credential'`

export const setPassword = async (transaction: Transaction, id: UserId, hash: string): Promise<void> => {
  await transaction.query(SET_PASSWORD, [id, hash])
}

const VERIFY = `update account_users set email_verified = true where id = $1`

export const setVerified = async (transaction: Transaction, id: UserId): Promise<void> => {
  await transaction.query(VERIFY, [id])
}

const SET_ADDRESS = `update account_users set email = $2, email_verified = true, updated_at = now() where id = $1`

/** Sets an address that an operator or an issuer vouches for. */
export const setAddress = async (transaction: Transaction, id: UserId, email: string): Promise<void> => {
  await transaction.query(SET_ADDRESS, [id, email])
}

const HOLD_MEMBERSHIPS = `
  select hold_member(workspace_id, user_id) from (
    select workspace_id, user_id from members where user_id = (select id from account_users where email = lower($1))
    order by workspace_id offset 0) as held`

/**
 * Waits for the person's running writes, and makes later ones wait for this transaction. Call before the account is
 * locked, because writes lock a membership first.
 */
export const holdMemberships = async (transaction: Transaction, email: string): Promise<void> => {
  await transaction.query(HOLD_MEMBERSHIPS, [email.trim()])
}

const DISABLE = `update account_users set disabled_at = now() where id = $1`
const ENABLE = `update account_users set disabled_at = null where id = $1`

export const setDisabled = async (transaction: Transaction, id: UserId, disabled: boolean): Promise<void> => {
  await transaction.query(disabled ? DISABLE : ENABLE, [id])
}

const END_SESSIONS = `delete from account_sessions where user_id = $1`

export const endSessions = async (transaction: Transaction, id: UserId): Promise<void> => {
  await transaction.query(END_SESSIONS, [id])
}

const HOLD_SESSION = `select from account_sessions where id = $1 and user_id = $2 for key share`

/** Locks a person's session until the transaction ends. False when the session has ended. */
export const holdSession = async (transaction: Transaction, user: UserId, session: string): Promise<boolean> =>
  (await transaction.query(HOLD_SESSION, [session, user])).length > 0

/** More than a person's browsers, as a bound for a program that signs in for each request. */
export const MAX_SESSIONS = 50

const END_OLD_SESSIONS = `
  delete from account_sessions
  where user_id = $1 and (expires_at <= now() or id in (
    select id from account_sessions where user_id = $1 and expires_at > now() order by created_at desc, id desc offset $2
  ))`

/** Ends an account's sessions beyond the newest, and deletes expired ones. Called after a session begins. */
export const limitSessions = async (database: Database, user: UserId): Promise<void> => {
  await database.transaction({ role: 'assay_accounts' }, transaction =>
    transaction.query(END_OLD_SESSIONS, [user, MAX_SESSIONS]),
  )
}

interface Ways {
  readonly has_password: boolean
  readonly has_sign_on: boolean
  readonly has_two_factor: boolean
}

const WAYS = `
  select
    exists (select from account_credentials where user_id = $1 and provider_id = 'credential') as has_password,
    exists (select from account_credentials where user_id = $1 and provider_id <> 'credential') as has_sign_on,
    coalesce((select two_factor_enabled from account_users where id = $1), false) as has_two_factor`

const NONE: Ways = { has_password: false, has_sign_on: false, has_two_factor: false }

/** The ways in which a person may sign in. */
export const waysOf = async (transaction: Transaction, user: UserId): Promise<Ways> =>
  (await transaction.query<Ways>(WAYS, [user]))[0] ?? NONE

const FORGET_FACTORS = `delete from account_two_factors where user_id = $1`
const TURN_OFF = `update account_users set two_factor_enabled = false where id = $1 and two_factor_enabled returning id`

/** Removes the second factor of an account. False when there was none. */
export const removeTwoFactor = async (transaction: Transaction, user: UserId): Promise<boolean> => {
  await transaction.query(FORGET_FACTORS, [user])
  return (await transaction.query(TURN_OFF, [user])).length > 0
}

/**
 * Links for a new password. The account library takes them at `/reset-password`: it looks for the row with the hash of
 * `reset-password:` and the token, and deletes the row. We insert the row, so that the same transaction records who
 * made the link, also in a program without the library.
 */

const RESET_LINK_HOURS = 1

const INSERT = `
  insert into account_verifications (id, identifier, value, expires_at)
  values (gen_random_uuid(), $1, $2, now() + $3 * interval '1 hour')`

/** Makes a link's token. Only its hash is stored. */
export const makeResetToken = async (transaction: Transaction, user: UserId): Promise<string> => {
  const token = randomSecret()
  await transaction.query(INSERT, [sha256(`reset-password:${token}`).toString('base64url'), user, RESET_LINK_HOURS])
  return token
}

/**
 * A browser sends nothing behind the #, so the token is in no log and no Referer, and a fetch of the page does not use
 * the token up.
 */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/reset-password#${token}`

const FORGET = `delete from account_verifications where value = $1::text`

/** Makes every other reset link of an account invalid. */
export const forgetResetTokens = async (transaction: Transaction, user: UserId): Promise<void> => {
  await transaction.query(FORGET, [user])
}

const FORGET_EXPIRED = `delete from account_verifications where expires_at < now()`

export const forgetExpiredTokens = async (transaction: Transaction): Promise<void> => {
  await transaction.query(FORGET_EXPIRED)
}
