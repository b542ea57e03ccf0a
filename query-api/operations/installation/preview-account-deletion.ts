import { ownedAlone } from '../../../model/accounts/delete-account.ts'
import { hasOtherAdministrators } from '../../../model/installation/administrators.ts'
import { readOperation, Type } from '../define.ts'
import { uuid } from '../parts/fields.ts'

const Listed = Type.Array(Type.Object({ id: uuid, name: Type.String() }))

export const previewAccountDeletion = readOperation({
  name: 'preview_account_deletion',
  title: 'What deleting your account would do',
  summary:
    'Answers which workspaces must get another owner before your account can be deleted, and which would be deleted with it because you are alone there.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    to_transfer: Listed,
    deleted: Listed,
    last_administrator: Type.Boolean({ description: 'Another administrator must be made first.' }),
  }),
  run: async (_input, { caller, read }) => {
    const [owned, othersAdminister] = await read(async transaction => [
      await ownedAlone(transaction, caller.userId),
      await hasOtherAdministrators(transaction, caller.userId),
    ])
    const listed = owned.map(({ id, name, members }) => ({ id, name, shared: members > 1 }))
    const administers = caller.via.kind === 'app' && caller.via.administers
    return {
      data: {
        to_transfer: listed.filter(({ shared }) => shared).map(({ id, name }) => ({ id, name })),
        deleted: listed.filter(({ shared }) => !shared).map(({ id, name }) => ({ id, name })),
        last_administrator: administers && !othersAdminister,
      },
    }
  },
})
