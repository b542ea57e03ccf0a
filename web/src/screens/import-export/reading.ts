import type { MappedField } from '../../../../schemas/transfers/fields.ts'
import type { Reading } from './transfer.ts'

type Mapped = Reading['mapping'][number]

/** Which field a column is; null for none. */
export const fieldOfColumn = ({ mapping }: Reading, column: number): MappedField | null =>
  mapping.find(mapped => mapped.column === column)?.field ?? null

/** The reading with a column as a field, or as none. A field is one column at a time. */
export const withColumn = (reading: Reading, column: number, field: MappedField | null): Reading => {
  const others = reading.mapping.filter(mapped => mapped.column !== column && mapped.field !== field)
  return { ...reading, mapping: field === null ? others : [...others, { field, column }] }
}

/** The value that a field has in every Signal; empty for none. */
export const valueOfAll = ({ mapping }: Reading, field: MappedField): string =>
  mapping.find(mapped => mapped.field === field)?.value ?? ''

export const withValue = (reading: Reading, field: MappedField, value: string): Reading => {
  const others = reading.mapping.filter(mapped => mapped.field !== field)
  const given: Mapped[] = value.trim() === '' ? [] : [{ field, value }]
  return { ...reading, mapping: [...others, ...given] }
}

/** Whether a column is the field, so that no one value can be. */
export const hasColumn = ({ mapping }: Reading, field: MappedField): boolean =>
  mapping.some(mapped => mapped.field === field && mapped.column !== undefined)
