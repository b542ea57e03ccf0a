import type { Transaction } from '../../infra/postgres/port.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

export interface Ways {
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

const FORGET = `delete from account_two_factors where user_id = $1`
const TURN_OFF = `update account_users set two_factor_enabled = false where id = $1 and two_factor_enabled returning id`

/** Takes the second factor off an account. False: it had none. */
export const removeTwoFactor = async (transaction: Transaction, user: UserId): Promise<boolean> => {
  await transaction.query(FORGET, [user])
  return (await transaction.query(TURN_OFF, [user])).length > 0
}
