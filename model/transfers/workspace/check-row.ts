import { createHash } from 'node:crypto'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { KeySet } from './check-stored.ts'
import type { Row } from './exported-rows.ts'
import type { ReferenceRule, TableRules } from './rules.ts'

/** Longest text of a field, in UTF-16 units. The line's limit applies to lists and objects. */
const MAX_TEXT = 200_000
/** Deepest nesting of a field's lists and objects, because code that walks them may recurse. */
const MAX_NESTING = 64

/** Allowed values of a type, in words and as a check. Values are from JSON, never null. */
interface FieldKind {
  readonly allowed: string
  readonly holds: (value: unknown) => boolean
}

/** Text that the database can store: no NUL, no half of a surrogate pair. */
const isStorable = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
const isText = (value: unknown): boolean => isStorable(value) && value.length <= MAX_TEXT
const isId = (value: unknown): boolean => typeof value === 'string' && isUuid(value)
const isIntegerOf = (bits: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= -(2 ** (bits - 1)) && Number(value) < 2 ** (bits - 1)
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isReal = (value: unknown): boolean =>
  isNumber(value) && Number.isFinite(Math.fround(Number(value))) && (value === 0 || Math.fround(Number(value)) !== 0)

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/
/** The weight of evidence halves every 90 days, so a double can hold it for about 250 years around 2024. */
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199]
const isTime = (value: unknown): boolean =>
  typeof value === 'string' &&
  TIME.test(value) &&
  isCalendarDay(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value)) &&
  isInReach(value)

const isInReach = (time: string): boolean => {
  const year = Number(time.slice(0, 4))
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** JavaScript reads 30 February as 2 March. */
const isCalendarDay = (day: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

const isJson = (value: unknown, levels = MAX_NESTING): boolean => {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.entries(value).every(([name, each]) => isStorable(name) && isJson(each, levels - 1))
}

const listOf = (isOne: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(isOne)

const BYTES = /^\\x(?:[0-9a-f]{2})*$/
const TEXT = `text of at most ${MAX_TEXT.toLocaleString('en')} characters, without NUL and halves of surrogate pairs`
const ID = 'a UUID in lower case'

const KINDS: Readonly<Record<string, FieldKind>> = {
  uuid: { allowed: ID, holds: isId },
  'uuid[]': { allowed: `a list, each ${ID}`, holds: listOf(isId) },
  text: { allowed: TEXT, holds: isText },
  'text[]': { allowed: `a list, each ${TEXT}`, holds: listOf(isText) },
  bytea: { allowed: 'bytes in hex behind \\x', holds: value => typeof value === 'string' && BYTES.test(value) },
  boolean: { allowed: 'true or false', holds: value => typeof value === 'boolean' },
  integer: { allowed: 'a whole number of 32 bits', holds: isIntegerOf(32) },
  bigint: { allowed: 'a whole number up to 2^53', holds: isIntegerOf(64) },
  real: { allowed: 'a number of 32 bits', holds: isReal },
  'double precision': { allowed: 'a number', holds: isNumber },
  'timestamp with time zone': {
    allowed: `a time, ISO 8601 with its zone, of the years ${FIRST_YEAR} to ${LAST_YEAR}`,
    holds: isTime,
  },
  jsonb: { allowed: `JSON at most ${MAX_NESTING} levels deep, its texts without NUL`, holds: value => isJson(value) },
}

/** Allowed values of a type. Throws for a type that no exported column has had so far: add it to `KINDS`. */
const kindOf = (type: string): FieldKind => {
  const kind = KINDS[type]
  if (kind === undefined) throw new Error(`The kind of a field of type ${type} is not known to imports.`)
  return kind
}

/** Most levels of rows above each other: schemas/postgres/0008_map.sql and 0013_claims.sql. */
const MAX_LEVELS: Readonly<Record<string, number>> = { map_nodes: 100, claims: 1001 }

/** Checks rows in the order of their lines. Answers the fault of a row; null without one. */
type RowCheck = (table: string, columns: readonly string[], row: Row) => string | null

const keyOf = (row: Row, columns: readonly string[]): bigint =>
  createHash('sha1')
    .update(JSON.stringify(columns.map(column => row[column])))
    .digest()
    .readBigUInt64LE()

const setName = (table: string, columns: readonly string[]): string => `${table} ${columns.join(' ')}`

/**
 * Checks each row's columns and values, and that its references name earlier rows of the file. A file can therefore
 * name no row of another workspace and contain no cycle. Referenced rows are remembered by 8 bytes of a hash.
 */
export const rowCheck = (rules: ReadonlyMap<string, TableRules>): RowCheck => {
  const known = new Map<string, KeySet>()
  const tables = [...rules.values()]
  for (const { table, named } of tables.flatMap(({ references }) => references))
    known.set(setName(table, named), new KeySet())
  const waysToName = (table: string): readonly (readonly string[])[] =>
    [...known.keys()].filter(name => name.startsWith(`${table} `)).map(name => name.split(' ').slice(1))
  const named = new Map(tables.map(({ table }) => [table, waysToName(table)]))

  const levelAbove = (row: Row, { columns, table, named }: ReferenceRule): number | null => {
    if (columns.some(column => row[column] === null || row[column] === undefined)) return 0
    return known.get(setName(table, named))?.levelOf(keyOf(row, columns)) ?? null
  }

  return (table, columns, row) => {
    const own = rules.get(table)
    if (own === undefined) return `there is no table ${table}`
    const wrong = wrongColumns(own, columns, row)
    if (wrong !== null) return wrong
    let level = 1
    for (const reference of own.references) {
      const above = levelAbove(row, reference)
      if (above === null)
        return `${reference.columns.join(', ')} must name a row of ${reference.table} on a line above it`
      if (reference.table === table) level = Math.max(level, above + 1)
    }
    const most = MAX_LEVELS[table] ?? 1
    if (level > most) return `it lies deeper than the ${most} levels that ${table} may have`
    for (const way of named.get(table) ?? []) known.get(setName(table, way))?.add(keyOf(row, way), level)
    return null
  }
}

const wrongColumns = (rules: TableRules, columns: readonly string[], row: Row): string | null => {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'the row must be an object'
  const missing = columns.find(column => !Object.hasOwn(row, column))
  if (missing !== undefined) return `it lacks ${missing}, which the first line names`
  const stranger = Object.keys(row).find(name => !columns.includes(name))
  if (stranger !== undefined)
    return `it has ${JSON.stringify(stranger.slice(0, 60))}, which the first line does not name`
  for (const { name, type, nullable } of rules.columns) {
    const value = row[name]
    if (value === undefined) continue
    const { allowed, holds } = kindOf(type)
    if (value === null ? !nullable : !holds(value)) return `${name} must be ${allowed}${nullable ? ', or null' : ''}`
  }
  return null
}
