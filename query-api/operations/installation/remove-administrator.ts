import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { unmakeAdministrator } from '../../accounts/administration.ts'
import { writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { lockAdministrators } from './lock-administrators.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly others: number
}

// `others`: who would still administer it.
const FIND = `
  select id, name, (
    select count(*)::integer from administrators join account_users as people on people.id = user_id
    where user_id <> $1 and people.disabled_at is null) as others
  from administrators join account_users on id = user_id
  where user_id = $1`

const findAdministrator = async (transaction: Transaction, id: string): Promise<Row> => {
  const [found] = await transaction.query<Row>(FIND, [id])
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
  worksAs: 'assay_accounts',
  input: Type.Object({
    user_id: Type.With(uuid, { description: 'The administrator’s user_id, from list_administrators.' }),
  }),
  output: Type.Object({ user_id: uuid }),
  apply: async ({ user_id }, transaction, { caller }) => {
    await lockAdministrators(transaction, caller)
    const found = await findAdministrator(transaction, user_id)
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
