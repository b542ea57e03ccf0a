import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { knownErrorClasses } from '../../../model/dead-letters/read-dead-letters.ts'
import type { DeadLetterSelection } from '../../../model/dead-letters/selection.ts'
import { FAULTS, STEPS } from '../../../schemas/domain/vocabulary.ts'
import { oneOf, uuid } from '../parts/fields.ts'
import { namesNothing, nearestOf } from '../parts/filter-values.ts'

/** What narrows a list of letters down; the same words wherever letters are listed or selected. */
export const deadLetterFilters = {
  step: Type.Optional(oneOf(STEPS, { description: 'The step. Only those that died here.' })),
  fault: Type.Optional(oneOf(FAULTS, { description: 'Only of this fault.' })),
  error_class: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only of this class.' })),
}

/** How a write says which waiting letters it means. */
export const selectionFields = {
  signal_id: Type.Optional(Type.With(uuid, { description: 'The Signal. With step where it died at several.' })),
  ...deadLetterFilters,
  all: Type.Optional(Type.Boolean({ description: 'true: every one that waits. Instead of narrowing them down.' })),
}
const Fields = Type.Object(selectionFields)

const NARROWING = ['signal_id', 'step', 'fault', 'error_class'] as const

/** Throws `invalid_input` with the nearest classes for one that no dead letter of the workspace has. */
export const requireKnownClass = async (transaction: Transaction, error_class: string | undefined): Promise<void> => {
  if (error_class === undefined) return
  const known = await knownErrorClasses(transaction)
  if (known.includes(error_class)) return
  const given = { field: 'error_class', value: error_class, pointer: '/error_class' }
  throw namesNothing(given, nearestOf(error_class, known, 'There is no dead letter.'))
}

/** The letters that are meant. Throws `invalid_input` for none and for all: nobody means every letter by leaving fields out. */
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

/** That nothing was selected, in the same words whether there is no such letter or it is another workspace's. */
export const noDeadLetters = (): AssayError =>
  new AssayError(
    'not_found',
    'No waiting dead letter of this workspace is that one. service_support mode pipeline lists them; one that was replayed or discarded no longer waits.',
  )
