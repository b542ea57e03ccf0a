import type { Database } from '../../infra/postgres/port.ts'
import { waysOf } from '../../model/accounts/sign-in.ts'
import type { UserId } from '../../schemas/domain/ids.ts'

/** How a person may sign in to their own account. */
export const createOwnWays = (database: Database) => (user: UserId) =>
  database.transaction({ role: 'assay_accounts' }, transaction => waysOf(transaction, user))

export type OwnWays = ReturnType<typeof createOwnWays>
