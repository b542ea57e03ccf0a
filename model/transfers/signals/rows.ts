import { exceededLimit, type JsonLimits } from '../../../schemas/http/json-limits.ts'

/** A record of another tool as a table row. */
export interface Row {
  /** A column's value as text; undefined without one. */
  readonly valueAt: (column: number) => string | undefined
  /** Values of other columns under their names. A name may occur more than once. */
  readonly others: (taken: ReadonlySet<number>) => readonly (readonly [name: string, value: unknown])[]
}

/** Longer names are no keys of metadata. */
const MAX_NAME_CHARACTERS = 200

const nameOf = (names: readonly string[], column: number): string => {
  const name = names[column] || `column ${column + 1}`
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS - 1)}…` : name
}

/** A CSV record with these column names; null for an empty one. */
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

/** A record has some hundred values. Records above these limits are refused. */
export const MAX_IN_A_RECORD: JsonLimits = { values: 20_000, depth: 1000 }

/** Levels of objects in a record that become columns: `fields.reporter.displayName`. */
const LEVELS = 3

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Columns of a JSON record with their values; null when it is no object with values. */
export const jsonValues = (record: unknown): ReadonlyMap<string, unknown> | null => {
  if (!isObject(record)) return null
  const values = new Map<string, unknown>()
  const take = (object: object, before: string, level: number): void => {
    for (const [name, value] of Object.entries(object)) {
      const path = `${before}${name}`
      // A signal's metadata stay an object.
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

/** A JSON record with these column names. */
export const jsonRow = (values: ReadonlyMap<string, unknown>, names: readonly string[]): Row => ({
  valueAt: column => {
    const name = names[column]
    // A column behind the last one has no name; a value may be under the empty name.
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

/** The object in a JSON text; null for anything else. */
export const objectIn = (text: string): object | null => {
  if (exceededLimit(text, MAX_IN_A_RECORD) !== null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
