import { listAdministrators as readAdministrators } from '../../../model/installation/administrators.ts'
import { readOperation, Type } from '../define.ts'
import { inOneAnswer, instant, nullable, uuid } from '../parts/fields.ts'

export const listAdministrators = readOperation({
  name: 'list_administrators',
  title: 'List who administers the installation',
  summary:
    'Lists who administers this installation: who pauses the pipeline, sees which workspaces there are, and shares the role.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({}),
  output: Type.Object({
    is_administrator: Type.Boolean(),
    items: inOneAnswer(
      'an installation has few',
      Type.Object({
        user_id: uuid,
        name: Type.String(),
        email: nullable(Type.String({ description: 'Null for who is no administrator.' })),
        since: instant,
        disabled: Type.Boolean({ description: 'Whether the account is disabled.' }),
        is_you: Type.Boolean(),
      }),
    ),
  }),
  run: async (_input, { caller, read }) => {
    const is_administrator = caller.via.kind === 'app' && caller.via.administers
    const rows = await read(transaction => readAdministrators(transaction, is_administrator))
    const items = rows.map(row => ({ ...row, since: row.since.toISOString(), is_you: row.user_id === caller.userId }))
    return { data: { is_administrator, items } }
  },
})
