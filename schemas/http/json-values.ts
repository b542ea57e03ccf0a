import { type TSchema, Type } from 'typebox'

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly TSchema[]
  readonly enum?: readonly unknown[]
}

/**
 * Removes optional fields that are null, which programs write for missing values. Null stays where the schema allows
 * null. Descends only into fields that the schema names, and copies only what changes.
 */
export const withoutNulls = (schema: TSchema, value: unknown): unknown => {
  const { properties, required = [] }: JsonSchema = schema
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  let copy: Record<string, unknown> | null = null
  for (const name in properties) {
    const type = properties[name]
    if (type === undefined || !Object.hasOwn(value, name)) continue
    // An object has string keys, whatever its values are.
    const field = (value as Readonly<Record<string, unknown>>)[name]
    if (field === null) {
      if (required.includes(name) || takesNull(type)) continue
      copy ??= { ...value }
      delete copy[name]
    } else {
      const kept = withoutNulls(type, field)
      if (kept === field) continue
      copy ??= { ...value }
      copy[name] = kept
    }
  }
  return copy ?? value
}

const takesNull = (schema: TSchema): boolean => {
  const { type, anyOf, enum: words }: JsonSchema = schema
  if (anyOf !== undefined) return anyOf.some(takesNull)
  if (words !== undefined) return words.includes(null)
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'))
}

const MAX_DEPTH = 32

/** Levels around a value within one field of the arguments. */
const ENVELOPE = 1

export const TOO_DEEP = `must not nest deeper than ${MAX_DEPTH} levels`

/** True when a value nests no deeper than any accepted value. */
export const isShallow = (value: unknown): boolean => within(value, MAX_DEPTH + ENVELOPE)

/**
 * A type whose values nest at most 32 levels, so that later code can recurse, and hold only finite numbers: a number
 * beyond a double's range is parsed as Infinity, and would be written as null.
 */
export const shallow = <T extends TSchema>(type: T) =>
  Type.Refine(
    Type.Refine(
      type,
      value => within(value, MAX_DEPTH),
      () => TOO_DEEP,
    ),
    value => !within(value, MAX_DEPTH) || hasFiniteNumbers(value),
    () => 'must not hold a number beyond the range of a double, about 1.8e308',
  )

const hasFiniteNumbers = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers)
}

const within = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  for (const inner of Object.values(value)) if (!within(inner, levels - 1)) return false
  return true
}
