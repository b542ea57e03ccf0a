import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'

/** A compiled TypeBox schema. */
export interface Validator<T = unknown> {
  Type(): TSchema
  Check(value: unknown): value is T
  Errors(value: unknown): TLocalizedValidationError[]
}

/** Of an array so many elements are looked at, and of one that may hold more, one more than it may. */
const TOLD = 100

/**
 * The errors of a value that a validator refuses, of the beginnings of its arrays: a validator that is asked goes through all of them, and
 * telling of a million wrong elements takes a thousand times as long as reading them. Never empty for a value that is refused.
 */
export const errorsIn = (validator: Validator, value: unknown): readonly TLocalizedValidationError[] => {
  const errors = validator.Errors(shortened(validator.Type(), value))
  return errors.length > 0 || validator.Check(value) ? errors : [LATER]
}

const MESSAGE = `has a fault behind the first ${TOLD} elements of an array`
const LATER: TLocalizedValidationError = {
  keyword: '~refine',
  schemaPath: '#',
  instancePath: '',
  params: { index: 0, message: MESSAGE },
  message: MESSAGE,
}

interface JsonSchema {
  readonly items?: TSchema
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly anyOf?: readonly TSchema[]
}

/** The value with the beginnings of those arrays that the schema says something of. */
const shortened = (schema: TSchema, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const { items, maxItems = 0, properties, anyOf }: JsonSchema = schema
  if (anyOf !== undefined) {
    const ofItsKind = anyOf.filter(one => (Array.isArray(value) ? 'items' : 'properties') in one)
    return ofItsKind.length === 1 && ofItsKind[0] !== undefined ? shortened(ofItsKind[0], value) : value
  }
  if (Array.isArray(value)) {
    const told = Math.max(TOLD, maxItems + 1)
    return items === undefined ? value : value.slice(0, told).map(one => shortened(items, one))
  }
  if (properties === undefined || '~refine' in schema) return value
  const copy: Record<string, unknown> = { ...value }
  for (const [name, type] of Object.entries(properties)) {
    if (Object.hasOwn(copy, name)) copy[name] = shortened(type, copy[name])
  }
  return copy
}
