import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'

/** A compiled TypeBox schema. */
export interface Validator<T = unknown> {
  Type(): TSchema
  Check(value: unknown): value is T
  Errors(value: unknown): TLocalizedValidationError[]
}

/** Of an array so many elements are looked at, and of one that may hold more, one more than it may. */
const MAX_ELEMENTS = 100

/**
 * The errors of a value that a validator refuses, of the beginnings of its arrays: a validator that is asked goes
 * through all of them, and telling of a million wrong elements takes a thousand times as long as reading them. Never
 * empty for a value that is refused.
 */
export const errorsIn = (validator: Validator, value: unknown): readonly TLocalizedValidationError[] => {
  const errors = validator.Errors(shortened(validator.Type(), value))
  return errors.length > 0 || validator.Check(value) ? errors : [LATER]
}

const MESSAGE = `has a fault behind the first ${MAX_ELEMENTS} elements of an array`
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
    const most = Math.max(MAX_ELEMENTS, maxItems + 1)
    return items === undefined ? value : value.slice(0, most).map(one => shortened(items, one))
  }
  if (properties === undefined || '~refine' in schema) return value
  const copy: Record<string, unknown> = { ...value }
  for (const [name, type] of Object.entries(properties)) {
    if (Object.hasOwn(copy, name)) copy[name] = shortened(type, copy[name])
  }
  return copy
}

// TypeBox stops collecting at 8 errors; a body with ten wrong fields should be told of all ten. Still bounded, for huge
// bodies.
Settings.Set({ maxErrors: 100 })

/** What is wrong at one place of a body: a JSON pointer (RFC 6901) and what is allowed there. */
interface BodyViolation {
  readonly pointer: string
  readonly message: string
}

/** A validator's errors in a sender's words, one for each place, without anything of what was sent. */
export const violationsOf = (errors: readonly TLocalizedValidationError[]): BodyViolation[] => {
  const found = new Map<string, string>()
  for (const error of errors) {
    for (const { pointer, message } of inWords(error)) if (!found.has(pointer)) found.set(pointer, message)
  }
  return [...found].map(([pointer, message]) => ({ pointer, message }))
}

const inWords = (error: TLocalizedValidationError): BodyViolation[] => {
  const pointer = error.instancePath
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map(name => ({
        pointer: `${pointer}/${pointerToken(name)}`,
        message: 'is required',
      }))
    case 'enum':
      return [{ pointer, message: `must be one of ${error.params.allowedValues.join(', ')}` }]
    case 'maxLength':
      return [{ pointer, message: `must have at most ${error.params.limit} characters (Unicode code points)` }]
    case 'minLength':
      return [
        {
          pointer,
          message: `must have at least ${error.params.limit} character${error.params.limit === 1 ? '' : 's'}`,
        },
      ]
    case 'pattern':
      return [{ pointer, message: error.params.pattern.toString() === '\\S' ? 'must not be blank' : error.message }]
    default:
      return [{ pointer, message: error.message }]
  }
}

/** A name as it stands in a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
