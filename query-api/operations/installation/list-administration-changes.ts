import { Type } from 'typebox'
import { administrationChanges } from '../../../model/installation/administrators.ts'
import { ADMINISTRATION_CHANGES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, oneOf } from '../parts/fields.ts'

export const listAdministrationChanges = readOperation({
  name: 'list_administration_changes',
  title: 'What was done to accounts',
  summary:
    'Answers who made whom an administrator or took that back, and which accounts were disabled, given a new password or deleted, the latest first.',
  units: 1,
  role: 'administrator',
  audience: 'people',
  worksAs: 'assay_accounts',
  input: Type.Object({ limit, cursor }),
  output: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        change: oneOf(ADMINISTRATION_CHANGES),
        account_name: Type.String({ description: 'As it was called then.' }),
        by_name: Type.String(),
        at: instant,
      }),
    ),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('administration_changes', input.cursor, services.now())
      const page = { limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }
      const { count, rows } = await administrationChanges(transaction, page)
      const items = rows.map(row => ({ ...row, at: row.at.toISOString() }))
      return {
        data: { count, items },
        nextCursor: nextCursor('administration_changes', position, items.length, count),
      }
    }),
})
