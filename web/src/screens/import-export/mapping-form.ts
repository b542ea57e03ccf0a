import { t } from '../../language/messages.ts'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { type Form, useForm } from '../../parts/forms/use-form.ts'
import { nameOfField } from './csv-mapping.tsx'
import type { Reading } from './transfer.tsx'

/** How a file is read, field by field. Null of what is guessed, or is not said. */
interface Mapping extends FormValues, Record<keyof Reading, unknown> {}

export const valuesOf = (reading: Reading): Mapping => ({
  ...{ delimiter: reading.delimiter, header: reading.header, second_header: reading.second_header ?? null },
  ...{ begins: reading.begins ?? null, mapping: reading.mapping, keep_other_columns: reading.keep_other_columns },
  ...{ dates: reading.dates ?? null, leave_unread_dates: reading.leave_unread_dates ?? null },
})

/** The reading that `valuesOf` has made fields of. */
export const readingOf = (values: Mapping): Reading =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Reading

const LABELS: { readonly [Field in keyof Reading]-?: string } = {
  delimiter: t('Delimiter'),
  header: t('The first line names the columns'),
  second_header: t('The first line names the columns'),
  begins: t('Records'),
  mapping: t('Maps to'),
  keep_other_columns: t('Keep the other columns as metadata'),
  dates: t('Dates are written'),
  leave_unread_dates: t('Import these signals without a date'),
}

const NOTHING: Mapping = {
  ...{ delimiter: null, header: null, second_header: null, begins: null, mapping: null },
  ...{ keep_other_columns: null, dates: null, leave_unread_dates: null },
}

const inWords = (_: string, value: unknown): string =>
  Array.isArray(value)
    ? (value as Reading['mapping'])
        .map(
          ({ field, column, value: all }) =>
            `${nameOfField(field)}: ${all ?? t('No. {line}', { line: (column ?? 0) + 1 })}`,
        )
        .join('\n')
    : value === true
      ? '✓'
      : String(value ?? '–')

/** What a person makes of the columns of a file. `stored` is null where nothing is to be said, as of JSON Lines. */
export const useMapping = (id: string, stored: Reading | null): Form<Mapping> =>
  useForm<Mapping>({
    name: `columns of ${id}`,
    labels: LABELS,
    now: { version: undefined, values: stored === null ? NOTHING : valuesOf(stored) },
    words: inWords,
  })
