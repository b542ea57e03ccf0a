import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
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

const DISABLE = `update account_users set disabled_at = now() where id = $1`
const ENABLE = `update account_users set disabled_at = null where id = $1`

export const setDisabled = async (transaction: Transaction, id: UserId, disabled: boolean): Promise<void> => {
  await transaction.query(disabled ? DISABLE : ENABLE, [id])
}

const END_SESSIONS = `delete from account_sessions where user_id = $1`

export const endSessions = async (transaction: Transaction, id: UserId): Promise<void> => {
  await transaction.query(END_SESSIONS, [id])
}

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
