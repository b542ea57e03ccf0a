import { findAdministrator, unmakeAdministrator } from '../../../model/installation/administrators.ts'
import { AssayError, type Transaction, Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'

const administratorOf = async (transaction: Transaction, id: string) => {
  const found = await findAdministrator(transaction, id)
  if (found !== undefined) return found
  throw new AssayError('not_found', `No administrator is ${id}; list_administrators lists them.`)
}

export const removeAdministrator = writeOperation({
  name: 'remove_administrator',
  title: 'Take the administration back',
  summary:
    'Takes the role of an administrator from somebody, or from yourself, at once. Their account and their workspaces stay as they are. The last one keeps it.',
  effect: 'write',
  units: 3,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({
    user_id: Type.With(uuid, { description: 'The administrator’s user_id, from list_administrators.' }),
  }),
  output: Type.Object({ user_id: uuid }),
  apply: async ({ user_id }, transaction, { caller }) => {
    const found = await administratorOf(transaction, user_id)
    if (found.others === 0) {
      throw new AssayError(
        'conflict',
        'An installation keeps at least one administrator. Make somebody else one first.',
      )
    }
    await unmakeAdministrator(transaction, found, { id: caller.userId, name: caller.userName })
    return { data: { user_id: found.id } }
  },
})
