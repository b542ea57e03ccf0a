import type { Transaction } from '../../infra/postgres/port.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

/** A passkey. The account library adds passkeys and verifies their signatures (`query-api/accounts/passkeys.ts`). */
export interface Passkey {
  readonly id: string
  readonly name: string
  /** True when the passkey is synchronized to the person's other devices. */
  readonly backed_up: boolean
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const LIST = `
  select id, name, backed_up, created_at, last_used_at from account_passkeys where user_id = $1 order by created_at, id`

/** A person's passkeys, oldest first. */
export const listPasskeys = (transaction: Transaction, user: UserId): Promise<Passkey[]> =>
  transaction.query<Passkey>(LIST, [user])

const RENAME = `update account_passkeys set name = $3 where user_id = $1 and id = $2 returning id`

/** False when the person has no passkey with this id. */
export const renamePasskey = async (
  transaction: Transaction,
  user: UserId,
  id: string,
  name: string,
): Promise<boolean> => (await transaction.query(RENAME, [user, id, name])).length > 0

const REMOVE = `delete from account_passkeys where user_id = $1 and id = $2 returning name`

/** Answers the passkey's name; undefined when the person has none with this id. */
export const removePasskey = async (transaction: Transaction, user: UserId, id: string): Promise<string | undefined> =>
  (await transaction.query<{ name: string }>(REMOVE, [user, id]))[0]?.name

const REMOVE_ALL = `delete from account_passkeys where user_id = $1 returning id`

/** Answers the number of removed passkeys. */
export const removePasskeys = async (transaction: Transaction, user: UserId): Promise<number> =>
  (await transaction.query(REMOVE_ALL, [user])).length

const USED = `update account_passkeys set last_used_at = now() where credential_id = $1`

export const recordUseOfPasskey = async (transaction: Transaction, credentialId: string): Promise<void> => {
  await transaction.query(USED, [credentialId])
}
