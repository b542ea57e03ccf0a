import { Type } from 'typebox'
import { ownedAlone } from '../../accounts/delete-account.ts'
import { readOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'

const OTHER_ADMINISTRATORS = `
  select from administrators join account_users on id = user_id where user_id <> $1 and disabled_at is null limit 1`

const Listed = Type.Array(Type.Object({ id: uuid, name: Type.String() }))

export const previewAccountDeletion = readOperation({
  name: 'preview_account_deletion',
  title: 'What deleting your account would do',
  summary:
    'Answers which workspaces must get another owner before your account can be deleted, and which would be deleted with it because you are alone there.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    hand_over: Listed,
    deleted: Listed,
    last_administrator: Type.Boolean({ description: 'Another administrator must be made first.' }),
  }),
  run: async (_input, { caller, read }) => {
    const [owned, others] = await read(async transaction => [
      await ownedAlone(transaction, caller.userId),
      await transaction.query(OTHER_ADMINISTRATORS, [caller.userId]),
    ])
    const listed = owned.map(({ id, name, members }) => ({ id, name, shared: members > 1 }))
    const administers = caller.through.kind === 'app' && caller.through.administers
    return {
      data: {
        hand_over: listed.filter(({ shared }) => shared).map(({ id, name }) => ({ id, name })),
        deleted: listed.filter(({ shared }) => !shared).map(({ id, name }) => ({ id, name })),
        last_administrator: administers && others.length === 0,
      },
    }
  },
})
