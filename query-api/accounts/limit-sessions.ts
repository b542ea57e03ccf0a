import type { Database } from '../../infra/postgres/port.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

/** More than a person has browsers, and a bound for a program that signs in for each of its requests. */
export const MAX_SESSIONS = 50

const END = `
  delete from account_sessions
  where user_id = $1 and (expires_at <= now() or id in (
    select id from account_sessions where user_id = $1 and expires_at > now() order by created_at desc, id desc offset $2
  ))`

/** Ends an account's sessions beyond the newest ones, and deletes those that have expired. Called when one has begun. */
export const limitSessions = async (database: Database, user: UserId): Promise<void> => {
  await database.transaction({ role: 'assay_accounts' }, transaction => transaction.query(END, [user, MAX_SESSIONS]))
}
