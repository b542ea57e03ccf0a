import { isUuid } from '../../../schemas/domain/ids.ts'

/** The longest text of a field, in UTF-16 units; lists and objects are bounded by their line. */
const MAX_TEXT = 200_000
/** How deep lists and objects of a field nest: what walks them may recurse. */
const MAX_NESTING = 64

/** What a field of a type may be, and which values are that. Values are as JSON has them, never null. */
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
/** What evidence weighs halves every 90 days, so that a double holds it for some 250 years around 2024 and no longer. */
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

/** JavaScript takes 30 February for 2 March. */
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

/** What a field of this type may be. Throws for a type that no column of an export has had so far: give it its kind here. */
export const kindOf = (type: string): FieldKind => {
  const kind = KINDS[type]
  if (kind === undefined) throw new Error(`The kind of a field of type ${type} is not known to imports.`)
  return kind
}
