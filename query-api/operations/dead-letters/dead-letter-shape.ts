import { type Static, Type } from 'typebox'
import type { DeadLetterRow } from '../../../model/dead-letters/read-dead-letters.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { DEAD_LETTER_STATES, FAULTS } from '../../../schemas/domain/vocabulary.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'

/** A dead letter without its record: what everybody of the workspace may see of each. */
export const DeadLetter = Type.Object({
  signal_id: uuid,
  step: Type.String(),
  fault: oneOf(FAULTS, {
    description: 'Who can end it: the sender, us, or time; too_costly used up the CPU that one record may cost.',
  }),
  error_class: Type.String(),
  message: nullable(strangersText({ description: 'Null while sealed.' })),
  sealed: Type.Boolean({
    description: 'It died before personal data was removed: only this much of it is ever shown.',
  }),
  attempts: Type.Integer(),
  dead_letter_count: Type.Integer({ description: 'Above 1: a replay died again.' }),
  state: oneOf(DEAD_LETTER_STATES),
  first_failed_at: instant,
  last_failed_at: instant,
  next_redrive_at: nullable(
    Type.String({ description: 'When it is driven again by itself; null: it waits for a person.' }),
  ),
})

/** A letter as it is answered. */
export const toDeadLetter = (row: DeadLetterRow): Static<typeof DeadLetter> => ({
  signal_id: row.signal_id,
  step: row.step,
  fault: row.fault,
  error_class: row.error_class,
  message: row.message,
  sealed: row.sealed,
  attempts: row.attempts,
  dead_letter_count: row.dead_letter_count,
  state: row.state,
  first_failed_at: row.first_failed_at.toISOString(),
  last_failed_at: row.last_failed_at.toISOString(),
  next_redrive_at: row.next_redrive_at?.toISOString() ?? null,
})
