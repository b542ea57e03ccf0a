import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'

/** A compiled TypeBox schema. */
export interface Validator<T = unknown> {
  Type(): TSchema
  Check(value: unknown): value is T
  Errors(value: unknown): TLocalizedValidationError[]
}

/**
 * Of an array so many elements are looked at, and of an object so many fields that its schema does not name; where it
 * may hold more, one more than it may.
 */
const MAX_ELEMENTS = 100
/** The names of what a sender made up are cut, so that a refusal is never as long as what it refuses. */
const MAX_POINTER = 300

/**
 * The errors of a value that a validator refuses, of the beginnings of its arrays and objects: a validator that is
 * asked goes through all of them, and telling of a million wrong elements takes a thousand times as long as reading
 * them. Never empty for a value that is refused.
 */
export const errorsIn = (validator: Validator, value: unknown): readonly TLocalizedValidationError[] => {
  const errors = validator.Errors(shortened(validator.Type(), value))
  return errors.length > 0 || validator.Check(value) ? errors : [LATER]
}

const MESSAGE = `has a fault behind the first ${MAX_ELEMENTS} elements of an array or fields of an object`
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
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly anyOf?: readonly TSchema[]
}

/** The value with the beginnings of those arrays and objects that the schema says something of. */
const shortened = (schema: TSchema, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const { items, maxItems = 0, maxProperties = 0, properties, patternProperties, anyOf }: JsonSchema = schema
  if (anyOf !== undefined) {
    const ofItsKind = anyOf.filter(one => (Array.isArray(value) ? 'items' : 'properties') in one)
    return ofItsKind.length === 1 && ofItsKind[0] !== undefined ? shortened(ofItsKind[0], value) : value
  }
  if (Array.isArray(value)) {
    const most = Math.max(MAX_ELEMENTS, maxItems + 1)
    return items === undefined ? value : value.slice(0, most).map(one => shortened(items, one))
  }
  if ((properties ?? patternProperties) === undefined || '~refine' in schema) return value
  const known = properties ?? {}
  const most = Math.max(MAX_ELEMENTS, maxProperties + 1)
  // An object has string keys, whatever its values are.
  const fields = Object.entries(value as Readonly<Record<string, unknown>>)
  const others = fields.filter(([name]) => !Object.hasOwn(known, name)).slice(0, most)
  const named = fields.flatMap(([name, field]) => {
    const type = Object.hasOwn(known, name) ? known[name] : undefined
    return type === undefined ? [] : [[name, shortened(type, field)] as const]
  })
  return Object.fromEntries([...named, ...others])
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
    for (const { pointer: whole, message } of inWords(error)) {
      const pointer = cutPointer(whole)
      if (!found.has(pointer)) found.set(pointer, message)
    }
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

/** A pointer as it is told: whole, unless a sender made it longer than any that a schema has. */
export const cutPointer = (pointer: string): string =>
  pointer.length > MAX_POINTER ? `${pointer.slice(0, MAX_POINTER)}…` : pointer

/** A name as it stands in a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
