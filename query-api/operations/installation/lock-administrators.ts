import { lockAdministrators } from '../../../model/installation/administrators.ts'
import { AssayError, type Caller, type Transaction } from '../define.ts'

/**
 * Locks who administers the installation until the transaction ends, so that two administrators cannot take the role from each other at
 * once. Rejects with `forbidden` when the caller lost it meanwhile.
 */
export const requireAdministrator = async (transaction: Transaction, { userId }: Caller): Promise<void> => {
  if ((await lockAdministrators(transaction)).includes(userId)) return
  throw new AssayError('forbidden', 'You are no administrator of this installation any more.')
}
