import { type Static, Type } from 'typebox'
import type { DecisionOnObject, DecisionRow } from '../../../model/decisions/read-decisions.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { cut, excerpt } from './excerpt.ts'
import { instant, nullable, oneOf } from './fields.ts'

/** A Decision as lists show it. */
export const DecisionShape = Type.Object({
  reference: Type.String(),
  text: Type.String({ description: 'What was decided and why, as a human or their agent stated it.' }),
  text_truncation: cut,
  made_by: Type.String(),
  via: oneOf(['app', 'key']),
  key_label: nullable(Type.String({ description: 'The key that it was made through.' })),
  made_at: instant,
  carried_out_by: nullable(
    Type.String({ description: 'Who made the change that hangs on it, where that was not who decided.' }),
  ),
  objects: Type.Integer({ description: 'Changes that hang on it.' }),
  reversed_by: nullable(Type.String({ description: 'The Decision that undid it.' })),
  reverses: nullable(Type.String({ description: 'The Decision that it undoes.' })),
})
export type DecisionShape = Static<typeof DecisionShape>

/** The statement is cut at `characters`. */
export const toDecision = (
  row: DecisionRow & Partial<DecisionOnObject>,
  characters = Number.POSITIVE_INFINITY,
): DecisionShape => {
  const { id: _, number, statement, made_at, reversed_by, reverses, ...rest } = row
  const name = reference('decision', number)
  return {
    ...rest,
    carried_out_by: row.carried_out_by ?? null,
    reference: name,
    ...excerpt(statement, characters, `service_lookup mode decision, id ${name}`),
    made_at: made_at.toISOString(),
    reversed_by: reversed_by === null ? null : reference('decision', reversed_by),
    reverses: reverses === null ? null : reference('decision', reverses),
  }
}
