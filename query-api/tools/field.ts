/** A field's JSON Schema. */
export type Field = Readonly<Record<string, unknown>>

/** One mode's use of a field. */
export interface FieldUse {
  readonly mode: string
  readonly schema: Field
  readonly required: boolean
}
