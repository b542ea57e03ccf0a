import type { Transaction } from '../../infra/postgres/port.ts'
import { randomSecret, sha256 } from '../../infra/runtime/secrets.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

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
