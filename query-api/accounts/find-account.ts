import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

export interface Account {
  readonly id: UserId
  readonly name: string
  readonly email: string
  readonly disabled_at: Date | null
}

const FIND = `select id, name, email, disabled_at from account_users where email = lower($1) for update`

/** The account with an address, locked. For operators and administrators alone: rejects with `not_found`, which tells who has none. */
export const findAccount = async (transaction: Transaction, email: string): Promise<Account> => {
  const [account] = await transaction.query<Account>(FIND, [email.trim()])
  if (account !== undefined) return account
  throw new AssayError('not_found', `No account here has the address ${email.trim()}.`)
}
