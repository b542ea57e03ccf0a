import { Type } from 'typebox'
import { administrationChanges } from '../../../model/installation/administrators.ts'
import { ADMINISTRATION_CHANGES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { instant, limit, oneOf } from '../parts/fields.ts'

const DEFAULT_CHANGES = 20

export const listAdministrationChanges = readOperation({
  name: 'list_administration_changes',
  title: 'What was done to accounts',
  summary:
    'Answers who made whom an administrator or took that back, and which accounts were disabled, given a new password or deleted, the latest first.',
  units: 1,
  role: 'administrator',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ limit }),
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        change: oneOf(ADMINISTRATION_CHANGES),
        account_name: Type.String({ description: 'As it was called then.' }),
        by_name: Type.String(),
        at: instant,
      }),
    ),
  }),
  run: async (input, { read }) => {
    const rows = await read(transaction => administrationChanges(transaction, input.limit ?? DEFAULT_CHANGES))
    return { data: { items: rows.map(row => ({ ...row, at: row.at.toISOString() })) } }
  },
})
