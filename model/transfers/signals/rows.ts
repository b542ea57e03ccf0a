import { exceededLimit, type JsonLimits } from '../../../schemas/http/json-limits.ts'

/** A record of another tool as the row of a table. */
export interface Row {
  /** What a column says, as text; undefined where it says nothing. */
  readonly valueAt: (column: number) => string | undefined
  /** What the other columns say, under their names. Each may be there more than once. */
  readonly others: (taken: ReadonlySet<number>) => readonly (readonly [name: string, value: unknown])[]
}

/** Names that are longer are no keys of metadata. */
const MAX_NAME_CHARACTERS = 200

const nameOf = (names: readonly string[], column: number): string => {
  const name = names[column] || `column ${column + 1}`
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS - 1)}…` : name
}

/** A record of CSV, whose columns have these names; null for an empty one. */
export const csvRow = (fields: readonly string[], names: readonly string[]): Row | null => {
  if (fields.every(field => field.trim() === '')) return null
  return {
    valueAt: column => fields[column],
    others: taken =>
      fields.flatMap((field, column) =>
        taken.has(column) || field.trim() === '' ? [] : [[nameOf(names, column), field] as const],
      ),
  }
}

/** A record has some hundred values; what else it has is dropped. */
export const MAX_IN_A_RECORD: JsonLimits = { values: 20_000, depth: 1000 }

/** So deep are objects within a record taken apart: `fields.reporter.displayName`. */
const LEVELS = 3

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The columns of a record of JSON, and what each says, if anything; null for what is no object with values. */
export const jsonValues = (record: unknown): ReadonlyMap<string, unknown> | null => {
  if (!isObject(record)) return null
  const values = new Map<string, unknown>()
  const take = (object: object, before: string, level: number): void => {
    for (const [name, value] of Object.entries(object)) {
      const path = `${before}${name}`
      // The metadata of a signal are an object themselves.
      if (isObject(value) && level < LEVELS && path !== 'metadata') take(value, `${path}.`, level + 1)
      else values.set(path, value)
    }
  }
  take(record, '', 1)
  return [...values.values()].some(saysSomething) ? values : null
}

const saysSomething = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  !(typeof value === 'string' && value.trim() === '') &&
  !(Array.isArray(value) && value.length === 0)

/** A record of JSON, whose columns have these names. */
export const jsonRow = (values: ReadonlyMap<string, unknown>, names: readonly string[]): Row => ({
  valueAt: column => {
    const name = names[column]
    // A value may be under the empty name: that is no column behind the last one.
    return name === undefined ? undefined : textOf(values.get(name))
  },
  others: taken => {
    const takenNames = new Set([...taken].map(column => names[column]))
    return [...values].flatMap(([name, value]) =>
      takenNames.has(name) || !saysSomething(value) ? [] : [[nameOf([name], 0), value] as const],
    )
  },
})

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  if (!saysSomething(value)) return undefined
  if (Array.isArray(value) && value.every(each => typeof each !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The object that a text of JSON is; null for anything else. */
export const objectIn = (text: string): object | null => {
  if (exceededLimit(text, MAX_IN_A_RECORD) !== null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
