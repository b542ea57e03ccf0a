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
 * Maximum of checked elements of an array, and of unnamed fields of an object. Where the schema allows more, one more
 * than it allows.
 */
const MAX_ELEMENTS = 100
/** Limit of a JSON pointer: a sender's own names are cut, so that a refusal stays shorter than its body. */
const MAX_POINTER = 300

/**
 * The errors of a refused value, from the beginnings of its arrays and objects. A validator reports on everything, and
 * reporting a million wrong elements takes a thousand times as long as reading them. Never empty for a refused value.
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

/** The value with shortened arrays and objects, where the schema describes their elements or fields. */
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

// TypeBox's default stops at 8 errors; the sender of ten wrong fields should see all ten. Still bounded for large
// bodies.
Settings.Set({ maxErrors: 100 })

/** A fault at one place of a body: a JSON pointer (RFC 6901) and what is allowed there. */
interface BodyViolation {
  readonly pointer: string
  readonly message: string
}

/** A validator's errors in words for senders, one for each place, without sent values. */
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

/** A pointer for a message; cut when a sender made it longer than any pointer of a schema. */
export const cutPointer = (pointer: string): string =>
  pointer.length > MAX_POINTER ? `${pointer.slice(0, MAX_POINTER)}…` : pointer

/** A name escaped for a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
