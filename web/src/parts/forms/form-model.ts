/** Values of a form by field names. */
export type FormValues = Readonly<Record<string, unknown>>

/** An object's state at one moment. */
export interface Snapshot<Values> {
  /** Undefined for an object that is new or has no version. */
  readonly version: number | undefined
  readonly values: Values
}

/** The stored draft of an unsent form. */
export interface FormDraft<Values> {
  /** State when the form opened; for a field decided in a conflict, state at that decision. */
  readonly opened: Snapshot<Values>
  readonly written: Partial<Values>
}

/** A field that this person and another one have changed since the form opened. */
export interface Conflict {
  readonly field: string
  readonly theirs: unknown
  /** What the person wrote; or, where they wrote nothing of it, as they have seen it. */
  readonly mine: unknown
  /** Whether the person wrote in it. Where all of it is at stake they only need to have seen theirs. */
  readonly isWritten: boolean
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const fieldsOf = <Values extends FormValues>(values: Partial<Values>): readonly (keyof Values & string)[] =>
  Object.keys(values)

/** The changed fields: only these are sent. */
export const changesOf = <Values extends FormValues>(
  { opened, written }: FormDraft<Values>,
  now: Snapshot<Values>,
): Partial<Values> =>
  Object.fromEntries(
    fieldsOf(written)
      .filter(field => !isSame(written[field], opened.values[field]) && !isSame(written[field], now.values[field]))
      .map(field => [field, written[field]]),
    // The names are those of the values.
  ) as Partial<Values>

/** True when the person changed a field. Whether it is a text, a date, a number or a choice makes no difference. */
export const isChanged = <Values extends FormValues>(draft: FormDraft<Values>, now: Snapshot<Values>): boolean =>
  Object.keys(changesOf(draft, now)).length > 0

/** Another person's changes of the fields to send. `isWhole`: all fields count, as for a deletion. */
export const conflictsOf = <Values extends FormValues>(
  draft: FormDraft<Values>,
  now: Snapshot<Values>,
  isWhole = false,
): readonly Conflict[] => {
  const { opened, written } = draft
  return fieldsOf(isWhole ? now.values : changesOf(draft, now))
    .filter(field => !isSame(now.values[field], opened.values[field]))
    .map(field => ({
      field,
      theirs: now.values[field],
      // Null is a value that the person chose: none, or for ever.
      mine: written[field] === undefined ? opened.values[field] : written[field],
      isWritten: written[field] !== undefined,
    }))
}

/** Choice for a field that both have changed. */
export type Decided = 'mine' | 'theirs'

/** The draft after the person's choice: the field is no conflict any more. */
export const withDecided = <Values extends FormValues>(
  { opened, written }: FormDraft<Values>,
  now: Snapshot<Values>,
  field: string,
  decided: Decided,
): FormDraft<Values> => {
  const { [field]: _, ...rest } = written
  return {
    opened: { ...opened, values: { ...opened.values, [field]: now.values[field] } },
    // Without a field it is still a part of the values.
    written: decided === 'mine' ? written : (rest as Partial<Values>),
  }
}
