import { type DeadLetterRow, knownErrorClasses } from '../../../model/dead-letters/read-dead-letters.ts'
import type { DeadLetterSelection } from '../../../model/dead-letters/selection.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { DEAD_LETTER_STATES, FAULTS, STEPS } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, type Transaction, Type } from '../define.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'
import { namesNothing, nearestOf } from '../parts/filters.ts'

/** A dead letter without its record: the part that everybody in the workspace may see. */
export const DeadLetter = Type.Object({
  signal_id: uuid,
  step: Type.String(),
  fault: oneOf(FAULTS, {
    description:
      'Who can end it: the sender, us, or time; too_costly used up the CPU that one record may cost; automatic is mail that a program wrote: a replay makes it a Signal.',
  }),
  error_class: Type.String(),
  message: nullable(untrustedText({ description: 'Null while sealed.' })),
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

/** A dead letter as answers show it. */
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

/** Filters of dead letters, the same wherever letters are listed or selected. */
export const deadLetterFilters = {
  step: Type.Optional(oneOf(STEPS, { description: 'The step. Only those that died here.' })),
  fault: Type.Optional(
    oneOf(FAULTS, { description: 'Only of this fault. Automatic mail is meant only where this says so.' }),
  ),
  error_class: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only of this class.' })),
}

/** Fields that select waiting letters for a write. */
export const selectionFields = {
  signal_id: Type.Optional(Type.With(uuid, { description: 'The Signal. With step where it died at several.' })),
  ...deadLetterFilters,
  all: Type.Optional(Type.Boolean({ description: 'true: every one that waits. Instead of narrowing them down.' })),
}
const Fields = Type.Object(selectionFields)

const NARROWING = ['signal_id', 'step', 'fault', 'error_class'] as const

/** Throws `invalid_input` with the nearest classes for a class that no dead letter of the workspace has. */
export const requireKnownClass = async (transaction: Transaction, error_class: string | undefined): Promise<void> => {
  if (error_class === undefined) return
  const known = await knownErrorClasses(transaction)
  if (known.includes(error_class)) return
  const given = { field: 'error_class', value: error_class, pointer: '/error_class' }
  throw namesNothing(given, nearestOf(error_class, known, 'There is no dead letter.'))
}

/**
 * The selected letters. Throws `invalid_input` without a filter, and for `all` beside a filter: leaving fields out must
 * not mean every letter.
 */
export const selectionOf = (input: Static<typeof Fields>, now: Date): DeadLetterSelection => {
  const narrowed = NARROWING.some(field => input[field] !== undefined)
  if (narrowed === (input.all === true)) {
    const message = `Say which dead letters: ${NARROWING.join(', ')} narrow them down, all: true by itself means every waiting one.`
    throw new AssayError('invalid_input', message, {
      violations: [
        { pointer: '/all', message: narrowed ? 'does not go with other fields' : 'must be true without them' },
      ],
    })
  }
  return {
    signal_id: input.signal_id ?? null,
    step: input.step ?? null,
    fault: input.fault ?? null,
    error_class: input.error_class ?? null,
    until: now.getTime(),
  }
}

/** Refusal of a selection without letters, the same for a missing letter and another workspace's. */
export const noDeadLetters = (): AssayError =>
  new AssayError(
    'not_found',
    'No waiting dead letter of this workspace is that one. service_support mode pipeline lists them; one that was replayed or discarded no longer waits.',
  )
