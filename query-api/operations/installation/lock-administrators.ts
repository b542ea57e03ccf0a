import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Caller } from '../define.ts'

const ADMINISTRATORS = `select user_id from administrators order by user_id for update`

/**
 * Locks who administers the installation until the transaction ends, so that two administrators cannot take the role from each other at
 * once. Rejects with `forbidden` when the caller lost it meanwhile.
 */
export const lockAdministrators = async (transaction: Transaction, { userId }: Caller): Promise<void> => {
  const administrators = await transaction.query<{ user_id: string }>(ADMINISTRATORS)
  if (administrators.some(({ user_id }) => user_id === userId)) return
  throw new AssayError('forbidden', 'You are no administrator of this installation any more.')
}
