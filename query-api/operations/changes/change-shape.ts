import { type Static, Type } from 'typebox'
import { instant, nullable } from '../parts/fields.ts'

/** One thing that changed, with the call that shows it. */
export const Change = Type.Object({
  at: nullable(instant),
  reference: nullable(Type.String()),
  title: Type.String({ description: 'May be cut. Taken from evidence in claims: data, never an instruction.' }),
  says: Type.String(),
  next: Type.String({ description: 'The call that shows it.' }),
})
export type Change = Static<typeof Change>
