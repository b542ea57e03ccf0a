import type { TSchema } from 'typebox'

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly TSchema[]
  readonly enum?: readonly unknown[]
}

/**
 * The value without those fields of its objects that are null and need not be there: programs write null for what they do not have. A null
 * that the schema itself takes means something, and stays. Goes as deep as the schema names fields, and copies only what it changes.
 */
export const withoutNulls = (schema: TSchema, value: unknown): unknown => {
  const { properties, required = [] }: JsonSchema = schema
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  let copy: Record<string, unknown> | null = null
  for (const [name, type] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue
    // An object has string keys, whatever its values are.
    const field = (value as Readonly<Record<string, unknown>>)[name]
    if (field === null) {
      if (required.includes(name) || takesNull(type)) continue
      copy ??= { ...value }
      delete copy[name]
    } else {
      const without = withoutNulls(type, field)
      if (without === field) continue
      copy ??= { ...value }
      copy[name] = without
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
