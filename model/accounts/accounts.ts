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

/** The account with an address, locked; undefined where nobody has it. */
export const accountAt = async (transaction: Transaction, email: string): Promise<Account | undefined> =>
  (await transaction.query<Account>(FIND, [email.trim()]))[0]

/**
 * The account with an address, locked. For operators and administrators alone: rejects with `not_found`, which tells
 * who has none.
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

/** All accounts, the oldest first. */
export const listAccounts = (database: Database): Promise<ListedAccount[]> =>
  database.transaction({ role: 'assay_accounts' }, transaction => transaction.query<ListedAccount>(LIST))

const ANY = `select from account_users limit 1`

export const hasAccounts = async (transaction: Transaction): Promise<boolean> =>
  (await transaction.query(ANY)).length > 0

const SET_PASSWORD = `
  update account_credentials set password = $2, updated_at = now()
  where user_id = $1 and provider_id = 'credential'`

/** Gives an account the password with this hash. */
export const setPassword = async (transaction: Transaction, id: UserId, hash: string): Promise<void> => {
  await transaction.query(SET_PASSWORD, [id, hash])
}

const VERIFY = `update account_users set email_verified = true where id = $1`

export const setVerified = async (transaction: Transaction, id: UserId): Promise<void> => {
  await transaction.query(VERIFY, [id])
}

const SET_ADDRESS = `update account_users set email = $2, email_verified = true, updated_at = now() where id = $1`

/** Gives an account an address that somebody vouches for. */
export const setAddress = async (transaction: Transaction, id: UserId, email: string): Promise<void> => {
  await transaction.query(SET_ADDRESS, [id, email])
}

const HOLD_MEMBERSHIPS = `
  select hold_member(workspace_id, user_id) from (
    select workspace_id, user_id from members where user_id = (select id from account_users where email = lower($1))
    order by workspace_id offset 0) as held`

/**
 * Waits for what the person with an address has under way, and has what they begin meanwhile wait for this transaction.
 * Asked before the account itself is locked, as writes hold a membership first.
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

/** Holds a person's session until the transaction ends. False: it has ended. */
export const holdSession = async (transaction: Transaction, user: UserId, session: string): Promise<boolean> =>
  (await transaction.query(HOLD_SESSION, [session, user])).length > 0

/** More than a person has browsers, and a bound for a program that signs in for each of its requests. */
export const MAX_SESSIONS = 50

const END_OLD_SESSIONS = `
  delete from account_sessions
  where user_id = $1 and (expires_at <= now() or id in (
    select id from account_sessions where user_id = $1 and expires_at > now() order by created_at desc, id desc offset $2
  ))`

/**
 * Ends an account's sessions beyond the newest ones, and deletes those that have expired. Called when one has begun.
 */
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

/** How a person may sign in. */
export const waysOf = async (transaction: Transaction, user: UserId): Promise<Ways> =>
  (await transaction.query<Ways>(WAYS, [user]))[0] ?? NONE

const FORGET_FACTORS = `delete from account_two_factors where user_id = $1`
const TURN_OFF = `update account_users set two_factor_enabled = false where id = $1 and two_factor_enabled returning id`

/** Takes the second factor off an account. False: it had none. */
export const removeTwoFactor = async (transaction: Transaction, user: UserId): Promise<boolean> => {
  await transaction.query(FORGET_FACTORS, [user])
  return (await transaction.query(TURN_OFF, [user])).length > 0
}

/**
 * Links by which somebody sets a new password. The account library takes them (`/reset-password`): it looks for the row
 * with the hash of `reset-password:` and the token, and deletes it as it uses it. We make the row, so that a link is
 * made in the transaction that records who made it, by a program that has no library running too.
 */

const RESET_LINK_HOURS = 1

const INSERT = `
  insert into account_verifications (id, identifier, value, expires_at)
  values (gen_random_uuid(), $1, $2, now() + $3 * interval '1 hour')`

/** Makes a link's token, of which the hash alone is stored. */
export const makeResetToken = async (transaction: Transaction, user: UserId): Promise<string> => {
  const token = randomSecret()
  await transaction.query(INSERT, [sha256(`reset-password:${token}`).toString('base64url'), user, RESET_LINK_HOURS])
  return token
}

/**
 * After the #, a browser keeps it to itself: it is in no log and in no Referer, and who fetches the page has not used
 * it.
 */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/reset-password#${token}`

const FORGET = `delete from account_verifications where value = $1::text`

/** Every other link of an account leads nowhere from now on. */
export const forgetResetTokens = async (transaction: Transaction, user: UserId): Promise<void> => {
  await transaction.query(FORGET, [user])
}

const FORGET_EXPIRED = `delete from account_verifications where expires_at < now()`

export const forgetExpiredTokens = async (transaction: Transaction): Promise<void> => {
  await transaction.query(FORGET_EXPIRED)
}
