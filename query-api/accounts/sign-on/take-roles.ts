import type { Database } from '../../../infra/postgres/port.ts'
import { logged } from '../../../infra/runtime/errors.ts'
import type { Logger } from '../../../infra/runtime/logger.ts'
import { accountOf } from '../../../model/accounts/accounts.ts'
import { applySignOnRoles } from '../../../model/members/members.ts'
import type { UserId } from '../../../schemas/domain/ids.ts'
import { rulesFor, type SignOn } from './sign-on.ts'

/**
 * Gives whoever came by the issuer the roles of their groups, as their session begins; nothing for who came with a password. A failure does not
 * undo the sign-in: the next one tries again.
 */
export const takeRoles = async (
  database: Database,
  { passages, settings }: SignOn,
  user: UserId,
  log: Pick<Logger, 'error'>,
): Promise<void> => {
  const passage = passages.getStore()
  if (passage === undefined) return
  passage.user = user
  try {
    await database.transaction({ role: 'assay_accounts' }, async transaction => {
      const account = await accountOf(transaction, user)
      if (account !== undefined)
        await applySignOnRoles(transaction, account, rulesFor(settings.rules, passage.groups ?? []))
    })
  } catch (error) {
    log.error(logged(error), 'The roles of somebody who came by single sign-on could not be given.')
  }
}
