import { type Static, Type } from 'typebox'

const orNull = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Which waiting letters are meant: those that are so in every respect that is not null. */
export const DeadLetterSelection = Type.Object({
  signal_id: orNull(Type.String({ format: 'uuid' })),
  step: orNull(Type.String()),
  fault: orNull(Type.String()),
  error_class: orNull(Type.String()),
  /** Only letters of then: one that dies again while others are worked on is not taken twice. Milliseconds since the epoch. */
  until: Type.Number(),
})
export type DeadLetterSelection = Static<typeof DeadLetterSelection>

/** The waiting letters of the selection that `boundSelection` binds to `$1` to `$5`. */
export const SELECTED_DEAD_LETTERS = `
  state = 'waiting' and last_failed_at <= $1::timestamptz
  and ($2::uuid is null or signal_id = $2) and ($3::text is null or step = $3)
  and ($4::text is null or fault = $4) and ($5::text is null or error_class = $5)`

/** The selection for people to read. */
export const selectionInWords = ({ signal_id, step, fault, error_class }: DeadLetterSelection): string => {
  const parts = Object.entries({ signal_id, step, fault, error_class }).flatMap(([field, value]) =>
    value === null ? [] : [`${field} ${value}`],
  )
  return parts.length === 0 ? 'all that waited' : parts.join(', ')
}

export const boundSelection = (selection: DeadLetterSelection): readonly unknown[] => [
  new Date(selection.until),
  selection.signal_id,
  selection.step,
  selection.fault,
  selection.error_class,
]
