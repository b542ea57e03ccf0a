import type { Transaction } from '../../infra/postgres/port.ts'
import { randomSecret, sha256 } from '../../infra/runtime/secrets.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

/**
 * Links by which somebody sets a new password. The account library takes them (`/reset-password`): it looks for the row with the hash of
 * `reset-password:` and the token, and deletes it as it uses it. We make the row, so that a link is made in the transaction that records
 * who made it, by a program that has no library running too.
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

/** After the #, a browser keeps it to itself: it is in no log and in no Referer, and who fetches the page has not used it. */
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
