import { type Static, Type } from 'typebox'
import type { GroupRow } from '../../../model/groups/groups.ts'
import { SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { instant, oneOf, uuid } from '../parts/fields.ts'

/** A named group of Solutions. */
export const GroupShape = Type.Object({
  id: uuid,
  name: Type.String(),
  solutions: Type.Integer({ description: 'How many it has.' }),
  by_state: Type.Array(Type.Object({ state: oneOf(SOLUTION_STATES), solutions: Type.Integer() }), {
    description: 'How many of them are in each state.',
  }),
  created_at: instant,
  updated_at: instant,
  version: Type.Integer({ description: 'Send it with a write, so that nobody else’s change is lost.' }),
})
export type GroupShape = Static<typeof GroupShape>

export const toGroup = (row: GroupRow): GroupShape => ({
  ...row,
  by_state: [...row.by_state],
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
