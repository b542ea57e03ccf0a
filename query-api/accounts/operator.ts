import { hashPassword } from 'better-auth/crypto'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { randomSecret } from '../../infra/runtime/secrets.ts'
import { guardedTransaction, makeAdministrator, recordChange } from './administration.ts'
import { type Account, findAccount } from './find-account.ts'

/** What whoever runs the installation does to accounts, at its command line. */

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

const END_SESSIONS = `delete from account_sessions where user_id = $1`
const SET_PASSWORD = `
  update account_credentials set password = $2, updated_at = now()
  where user_id = $1 and provider_id = 'credential'`
const DISABLE = `update account_users set disabled_at = now() where id = $1`
const ENABLE = `update account_users set disabled_at = null where id = $1`

const onAccount = <T>(
  database: Database,
  email: string,
  work: (transaction: Transaction, account: Account) => Promise<T>,
): Promise<T> =>
  guardedTransaction(database, async transaction => work(transaction, await findAccount(transaction, email)))

/** 120 bits, as 20 characters. */
const PASSWORD_BYTES = 15

/** Gives an account a new password and ends its sessions. Answers the password, which nothing keeps. */
export const resetPassword = async (database: Database, email: string): Promise<string> => {
  const password = randomSecret(PASSWORD_BYTES)
  const hash = await hashPassword(password)
  await onAccount(database, email, async (transaction, account) => {
    await transaction.query(SET_PASSWORD, [account.id, hash])
    await transaction.query(END_SESSIONS, [account.id])
    await recordChange(transaction, { change: 'password_reset', account, by: null })
  })
  return password
}

/** Ends an account's sessions at once and its keys within a minute, until it is enabled again. The last administrator is refused. */
export const disableAccount = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    await transaction.query(END_SESSIONS, [account.id])
    if (account.disabled_at !== null) return
    await transaction.query(DISABLE, [account.id])
    await recordChange(transaction, { change: 'disabled', account, by: null })
  })

export const enableAccount = (database: Database, email: string): Promise<void> =>
  onAccount(database, email, async (transaction, account) => {
    if (account.disabled_at === null) return
    await transaction.query(ENABLE, [account.id])
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
