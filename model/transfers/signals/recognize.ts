import {
  COLUMN_FIELDS,
  DELIMITERS,
  type Delimiter,
  FACT_FIELDS,
  MAPPED_FIELDS,
} from '../../../schemas/transfers/columns.ts'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { jsonOutline } from '../records/json-outline.ts'
import { BODIES, FACT_NAMES, NOTES, OF_TASKS, OTHER_NAMES, ROW_IDS, SUBJECTS, TITLES } from './column-names.ts'
import { type Columns, csvColumns, firstRecords, heldBytes, jsonColumns, saidDelimiter } from './columns.ts'
import { isDate } from './dates.ts'
import { KNOWN_EXPORTS, type KnownExport } from './known-exports.ts'
import type { Row } from './rows.ts'

const plain = (name: string): string =>
  name
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[\s_.-]+/g, ' ')
    .trim()

/** Guesses the reading of a CSV file by its beginning: the delimiter, the header, and the fields of columns. */
export const recognizeCsv = async (beginning: Buffer): Promise<CsvReading> => {
  const bytesFrom = heldBytes(beginning)
  const delimiter = await delimiterOf(beginning)
  const open = await csvColumns(bytesFrom, { delimiter, header: false })
  const first = open.rows[0] === undefined ? [] : valuesOf(open.rows[0])
  const below = { names: first.map(name => name.trim()), rows: open.rows.slice(1) }
  const known = knownExport(below.names)
  const byName = known === null ? suggestMapping(below) : []
  const header = known !== null || byName.length > 0 || looksLikeNames(first) || standsOut(first, below.rows)
  if (!header) return { ...OTHERS, delimiter, header, mapping: textAlone(open, first.length) }
  // In the second header line, columns about the whole answer have no name.
  const second_header = known?.tool === 'SurveyMonkey' && below.rows[0]?.valueAt(0)?.trim() === ''
  const columns = second_header ? await csvColumns(bytesFrom, { delimiter, header, second_header }) : below
  const mapping = first.length === 1 ? textAlone(columns, 1) : mappingOf(columns, known)
  return { ...OTHERS, delimiter, header, ...(second_header && { second_header }), mapping }
}

const OTHERS = { keep_other_columns: true }

/** A single column can only be the text. */
const textAlone = ({ rows }: Pick<Columns, 'rows'>, columns: number): CsvReading['mapping'] =>
  columns === 1 ? [{ field: 'text', column: 0 }] : answersIn({ names: Array(columns).fill(''), rows }, new Set(), 1)

const valuesOf = (row: Row): readonly string[] => {
  const values: string[] = []
  for (let column = 0; ; column += 1) {
    const value = row.valueAt(column)
    if (value === undefined) return values
    values.push(value)
  }
}

const delimiterOf = async (beginning: Buffer): Promise<Delimiter> => {
  const said = saidDelimiter(beginning)
  let best: { readonly delimiter: Delimiter; readonly score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    if (delimiter === said) return delimiter
    const records = await firstRecords(heldBytes(beginning)(0), delimiter)
    const length = records[0]?.fields.length ?? 0
    // Most records must have the same number of columns, and more columns are better.
    const alike = records.filter(({ fields }) => fields.length === length).length
    const score = length < 2 ? 0 : (alike / records.length) * (1 + Math.log(length))
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** Guesses the reading of a JSON file by its beginning: the array with the records, and the fields of their values. */
export const recognizeJson = async (beginning: Buffer): Promise<CsvReading> => {
  const found: { readonly reading: CsvReading; readonly score: number }[] = []
  const { arrays } = jsonOutline(beginning)
  // The records may also be objects one after the other.
  for (const begins of [...arrays.slice(0, MAX_ARRAYS).map(array => array.begins), 0]) {
    const columns = await jsonColumns(heldBytes(beginning), begins)
    const known = knownExport(columns.names)
    const mapping = mappingOf(columns, known)
    const hasText = mapping.some(({ field }) => field === 'text')
    const score = columns.rows.length === 0 ? -1 : (known === null ? 0 : 2) + (hasText ? 1 : 0)
    const reading = { ...OTHERS, delimiter: ',' as const, header: true, begins, mapping }
    found.push({ reading, score })
  }
  const [best] = found.toSorted((one, other) => other.score - one.score)
  if (best === undefined) throw new Error('The objects of the file are always one of the ways.')
  return best.reading
}

/** Arrays that are tried: a board has some dozen lists. */
const MAX_ARRAYS = 50

/** The tool whose exports have columns with these names; null without one. */
export const knownExport = (names: readonly string[]): KnownExport | null => {
  const columns = names.map(plain)
  const has = new Set(columns)
  return (
    KNOWN_EXPORTS.find(
      each => each.has.every(group => group.some(name => has.has(name))) && (each.fits?.(columns) ?? true),
    ) ?? null
  )
}

const mappingOf = (columns: Pick<Columns, 'names' | 'rows'>, known: KnownExport | null): CsvReading['mapping'] => {
  const { names } = columns
  const mapping = known === null ? [] : knownMapping(names, known)
  const hasText = mapping.some(({ field }) => field === 'text')
  const others =
    hasText || known?.isSurvey
      ? []
      : suggestMapping(columns).filter(({ field }) => !mapping.some(mapped => mapped.field === field))
  const all = [...mapping, ...others]
  if (all.some(({ field }) => field === 'text')) return withRest(all, columns)
  const taken = new Set(all.flatMap(({ column }) => column ?? []))
  const text = answersIn(columns, taken, known?.isSurvey ? MAX_ANSWERS : 1)
  return withRest([...all, ...text], columns)
}

const withRest = (mapping: CsvReading['mapping'], columns: Pick<Columns, 'names' | 'rows'>): CsvReading['mapping'] =>
  withRowId(withFacts(withAddresses(mapping, columns), columns), columns)

const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/

/** A column of writers that holds addresses is their addresses, whatever its name is: names would be removed. */
const withAddresses = (mapping: CsvReading['mapping'], { rows }: Pick<Columns, 'rows'>): CsvReading['mapping'] =>
  mapping.some(({ field }) => field === 'actor_email')
    ? mapping
    : mapping.map(mapped => {
        if (mapped.field !== 'actor_name' || mapped.column === undefined) return mapped
        const values = valuesBelow(mapped.column, rows)
        const isAddresses = values.length > 0 && values.every(value => ADDRESS.test(value))
        return isAddresses ? { ...mapped, field: 'actor_email' } : mapped
      })

/** The mapping with columns for customer facts. A name that occurs more than once stays a list. */
const withFacts = (
  mapping: CsvReading['mapping'],
  { names, rows }: Pick<Columns, 'names' | 'rows'>,
): CsvReading['mapping'] => {
  const columns = names.map(plain)
  const all = [...mapping]
  for (const field of FACT_FIELDS) {
    const column = firstOf(columns, FACT_NAMES[field], all)
    if (column === undefined || columns.indexOf(columns[column] ?? '', column + 1) !== -1) continue
    // JSON objects and lists stay as they are.
    if (!rows.some(row => /^[[{]/.test(row.valueAt(column) ?? ''))) all.push({ field, column })
  }
  return all
}

/** The mapping with the column of row ids: it has one of their names, and a different value in each row. */
const withRowId = (
  mapping: CsvReading['mapping'],
  { names, rows }: Pick<Columns, 'names' | 'rows'>,
): CsvReading['mapping'] => {
  const columns = names.map(plain)
  const column = ROW_IDS.flatMap(name => {
    const at = firstOf(columns, [name], mapping)
    return at !== undefined && tellsApart(at, rows) ? [at] : []
  })[0]
  return inOrder(column === undefined ? mapping : [...mapping, { field: 'row_id', column }])
}

const tellsApart = (column: number, rows: readonly Row[]): boolean => {
  const values = rows.map(row => row.valueAt(column)?.trim() ?? '')
  return rows.length > 0 && values.every(value => value !== '') && new Set(values).size === values.length
}

const knownMapping = (names: readonly string[], { tool, fields }: KnownExport): CsvReading['mapping'] => {
  const columns = names.map(plain)
  const mapping = MAPPED_FIELDS.flatMap((field): CsvReading['mapping'] => {
    const found = (fields[field] ?? []).map(name => columns.indexOf(name)).filter(column => column !== -1)
    return found.slice(0, field === 'text' ? MAX_ANSWERS : 1).map(column => ({ field, column }))
  })
  return [...mapping, { field: 'source', value: tool }]
}

/** Fields of columns by name: the field's own name first, then other usual names. */
const suggestMapping = ({ names, rows }: Pick<Columns, 'names' | 'rows'>): CsvReading['mapping'] => {
  const columns = names.map(plain)
  // Inside of an object the last name decides: `fields.Feedback`.
  const last = names.map(name => plain(name.slice(name.lastIndexOf('.') + 1)))
  const mapping: CsvReading['mapping'] = []
  const titles = OF_TASKS.some(name => columns.includes(name)) ? [...TITLES, 'name', 'task name'] : TITLES
  const subject = last.findIndex(name => SUBJECTS.includes(name))
  const title = subject === -1 ? last.findIndex(name => titles.includes(name)) : subject
  // The text below a title is the content, even when there are comments.
  const bodies = title === -1 ? [] : BODIES
  for (const wanted of ['own', 'other', 'within'] as const) {
    for (const field of MAPPED_FIELDS) {
      if (mapping.some(mapped => mapped.field === field)) continue
      const others = field === 'text' ? [...bodies, ...OTHER_NAMES.text] : OTHER_NAMES[field]
      const known = wanted === 'own' ? [plain(field)] : [plain(field), ...others]
      const column = firstOf(wanted === 'within' ? last : columns, known, mapping)
      // A column with the number of comments has the name of the comments.
      const isNumber = column !== undefined && field === 'text' && saysFigures(column, rows)
      if (column !== undefined && column !== title && !isNumber) mapping.push({ field, column })
    }
  }
  const text = mapping.find(({ field }) => field === 'text')?.column
  const isBelowTitle = subject !== -1 || text === undefined || [...BODIES, ...NOTES].includes(last[text] ?? '')
  if (title !== -1 && title !== text && isBelowTitle) mapping.unshift({ field: 'text', column: title })
  return inOrder(mapping)
}

/** The column with the first of these names among columns without a field. */
const firstOf = (
  columns: readonly string[],
  known: readonly string[],
  mapping: CsvReading['mapping'],
): number | undefined =>
  known
    .map(wanted => columns.findIndex((name, at) => name === wanted && !mapping.some(({ column }) => column === at)))
    .find(column => column !== -1)

const inOrder = (mapping: CsvReading['mapping']): CsvReading['mapping'] =>
  mapping.toSorted((one, other) => COLUMN_FIELDS.indexOf(one.field) - COLUMN_FIELDS.indexOf(other.field))

/** Short, not empty, all different, without figures, addresses or times. */
const looksLikeNames = (fields: readonly string[]): boolean =>
  fields.length > 1 &&
  new Set(fields.map(plain)).size === fields.length &&
  fields.every(field => /^[^\d@:/]{1,40}$/u.test(field.trim()) && field.trim().split(/\s+/).length <= 4)

const NUMBER = /^[+-]?\d{1,15}(?:[.,]\d{1,15})?%?$/

const valuesBelow = (column: number, rows: readonly Row[]): readonly string[] =>
  rows.flatMap(row => row.valueAt(column)?.trim() || [])

const saysFigures = (column: number, rows: readonly Row[]): boolean => {
  const values = valuesBelow(column, rows)
  return values.length > 0 && values.every(isFigure)
}

const isFigure = (value: string): boolean => NUMBER.test(value) || isDate(value)

const standsOut = (first: readonly string[], rows: readonly Row[]): boolean =>
  standsAboveValues(first, rows) || areQuestions(first, rows)

/** True when some of these are questions and the values below them are none. */
const areQuestions = (first: readonly string[], rows: readonly Row[]): boolean => {
  const questions = first.flatMap((name, column) => (name.trim().endsWith('?') ? [column] : []))
  return (
    questions.length > 1 && questions.every(column => !valuesBelow(column, rows).some(value => value.endsWith('?')))
  )
}

/** True when below some of these words are only figures or dates. */
const standsAboveValues = (first: readonly string[], rows: readonly Row[]): boolean =>
  rows.length > 1 &&
  first.some((name, column) => {
    const values = valuesBelow(column, rows)
    return values.length > 1 && /\p{L}/u.test(name) && !isFigure(name.trim()) && values.every(isFigure)
  })

/** Columns of answers that are joined. */
const MAX_ANSWERS = 5
const WORDS = 4
const MAX_LOOKED_AT = 2000

/** The columns with the most free text, in the order of the file. */
const answersIn = (
  { names, rows }: Pick<Columns, 'names' | 'rows'>,
  taken: ReadonlySet<number>,
  most: number,
): CsvReading['mapping'] =>
  names
    .flatMap((_, column) => {
      if (taken.has(column)) return []
      const values = rows.flatMap(row => row.valueAt(column)?.trim().slice(0, MAX_LOOKED_AT) || [])
      const written = values.filter(isWritten)
      const isTold = new Set(written).size > written.length / 2 && written.length > values.length / 3
      return written.length > 0 && isTold ? [{ column, length: written.join('').length }] : []
    })
    .toSorted((one, other) => other.length - one.length)
    .slice(0, most)
    .toSorted((one, other) => one.column - other.column)
    .map(({ column }) => ({ field: 'text', column }))

/** Some words that are neither an address, nor a time, nor code. */
const isWritten = (value: string): boolean =>
  value.split(/\s+/).length >= WORDS && !/^(?:https?:|[[{<])/.test(value) && !isDate(value)
