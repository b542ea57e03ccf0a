import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import type { Violation } from '../../../infra/runtime/errors.ts'
import { visibleJson } from '../../../schemas/domain/visible-text.ts'
import { isShallow, TOO_DEEP, withoutNulls } from '../../../schemas/http/json-values.ts'
import { cutPointer, errorsIn, pointerToken, type Validator, violationsOf } from '../../../schemas/http/violations.ts'
import { AssayError, type Caller, type Operation, Type } from '../define.ts'

/** What a call of any operation takes and answers, from either door. */

/** What accompanies `data` in every answer. */
interface Meta {
  /** When the answer was made, ISO 8601, UTC. */
  readonly timestamp: string
  readonly work_units: number
  readonly next_cursor: string | null
  /** The id of the workspace that answered. */
  readonly workspace: string
  /** Such as that fewer items fit than were asked for. */
  readonly note?: string
  /**
   * Of a write: what takes it back. Null where nothing was changed, or what was cannot be taken back; absent of a read.
   */
  readonly change_id?: string | null
}

export interface CallResult {
  readonly data: unknown
  readonly meta: Meta
}

export const MetaSchema = Type.Object({
  timestamp: Type.String({ format: 'date-time', description: 'When the answer was made, UTC.' }),
  work_units: Type.Integer({ minimum: 0, description: 'What the call cost.' }),
  next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Continues the list; null at its end.' }),
  workspace: Type.String({ format: 'uuid', description: 'The workspace that answered.' }),
  note: Type.Optional(Type.String({ description: 'Such as that fewer items fit than were asked for.' })),
  change_id: Type.Optional(
    Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description:
        'Of a write: service_decide mode undo takes it back by this id. Null where nothing was changed, or what was cannot be taken back.',
    }),
  ),
})

export interface CallRequest {
  /** Authenticated by the door that the call came through. */
  readonly caller: Caller
  readonly input: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | null
  /** The tool and mode that were called; absent when the operation was called by its own name. */
  readonly tool?: { readonly name: string; readonly mode: string }
}

/**
 * Runs an operation for a caller. Rejects with an AssayError; `InvalidArguments` when the input does not fit its
 * schema.
 */
export type Call = (operation: Operation, request: CallRequest) => Promise<CallResult>

/** Violations that a refusal tells, at most. */
export const MAX_NAMED = 100

/** The arguments do not fit the schema: the call was malformed, nothing was looked up and nothing ran. */
export class InvalidArguments extends AssayError {
  constructor(what: string, found: readonly Violation[]) {
    const violations = found.slice(0, MAX_NAMED)
    const sentences = violations.map(({ pointer, message }) => `${pointer || 'the whole'} ${message}`)
    super('invalid_input', `The arguments of ${what} do not fit: ${sentences.join('; ')}.`, { violations })
  }
}

// TypeBox stops at 8 by default; a caller should see everything that is wrong at once.
Settings.Set({ maxErrors: MAX_NAMED })

const checkers = new WeakMap<TObject, Validator>()

const checkerOf = (schema: TObject): Validator => {
  const known = checkers.get(schema)
  if (known) return known
  const made = Compile(strictSchema(schema))
  checkers.set(schema, made)
  return made
}

type Input = Readonly<Record<string, unknown>>

/**
 * The input without what nobody sees, and without optional fields that are null, held against the operation's schema:
 * what members and agents write reaches other people and agents as it is read. Throws `InvalidArguments` with
 * everything that is wrong of what was `called`.
 */
export const acceptedInput = (operation: Operation, sent: Input, called: string): Input => {
  // The object that came, or a copy of it.
  const input = withoutNulls(operation.input, sent) as Input
  // First as it came: that bounds how deep it nests.
  validate(operation, input, called)
  const shown = visibleJson(input)
  if (shown !== input) validate(operation, shown, called)
  return shown
}

/**
 * Checks the input against a schema, as an operation has it. Throws `InvalidArguments` with everything that is wrong of
 * what was `called`.
 */
export const validate = (
  { input: schema, hints = {} }: Pick<Operation, 'input' | 'hints'>,
  input: Input,
  called: string,
): void => {
  // Before the checker, which walks what it is given by recursion.
  const deep = Object.keys(input).filter(field => !isShallow(input[field]))
  if (deep.length > 0) throw new InvalidArguments(called, deep.slice(0, MAX_NAMED).map(tooDeep))
  const checker = checkerOf(schema)
  if (checker.Check(input)) return
  const errors = errorsIn(checker, input)
  const unknown = errors.flatMap(error => unknownFields(error, shapeAt(schema, error.instancePath)))
  const composed = errors.flatMap(error => (error.keyword === 'anyOf' ? [composition(error, errors)] : []))
  const others = violationsOf(errors.filter(isAboutAValue)).map(explained(schema, errors))
  throw new InvalidArguments(called, [...unknown, ...others, ...composed].map(hinted(hints)))
}

const tooDeep = (field: string): Violation => ({
  pointer: cutPointer(`/${pointerToken(field)}`),
  message: TOO_DEEP,
})

const hinted =
  (hints: Readonly<Record<string, string>>) =>
  ({ pointer, message }: Violation): Violation => {
    const [, field = ''] = pointer.split('/')
    const hint = Object.hasOwn(hints, field) ? hints[field] : undefined
    return { pointer, message: hint === undefined ? message : `${message} (${hint})` }
  }

/** A refused field is named by `unknownFields`, and a branch of a union says little without the others. */
const isAboutAValue = ({ keyword, schemaPath }: TLocalizedValidationError): boolean =>
  keyword !== 'additionalProperties' && keyword !== 'boolean' && keyword !== 'anyOf' && !schemaPath.includes('/anyOf/')

/** As much of a schema as says what belongs in a place. */
interface Shape {
  readonly description?: string
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

/** The schema of the value at a JSON pointer; undefined where names are free, or several schemas are composed. */
const shapeAt = (schema: Shape, pointer: string): Shape | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Shape | undefined>((shape, name) => shape?.items ?? ownField(shape?.properties, name), schema)

const ownField = (fields: Shape['properties'] = {}, name: string): Shape | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/**
 * What is of the wrong type or form is told with what belongs there: the tool list names no fields of some objects, and
 * a pattern says little.
 */
const explained =
  (schema: Shape, errors: readonly TLocalizedValidationError[]) =>
  ({ pointer, message }: Violation): Violation => {
    const error = errors.find(({ instancePath }) => instancePath === pointer)
    const shape = error && shapeAt(schema, pointer)
    const expected = shape && error && belonging(shape, error)
    return { pointer, message: expected ? `${message}; ${expected}` : message }
  }

const belonging = ({ description, items, properties }: Shape, error: TLocalizedValidationError): string | undefined => {
  if (error.keyword === 'format' || (error.keyword === 'pattern' && error.params.pattern.toString() !== '\\S'))
    return description?.replace(/\.$/, '')
  if (error.keyword !== 'type') return undefined
  if (properties !== undefined) return `its fields: ${Object.keys(properties).join(', ')}`
  return items?.properties && `the fields of each: ${Object.keys(items.properties).join(', ')}`
}

const unknownFields = (error: TLocalizedValidationError, shape: Shape = {}): Violation[] => {
  if (error.keyword !== 'additionalProperties') return []
  const instead = shape.properties ? `; allowed: ${Object.keys(shape.properties).join(', ') || 'none'}` : ''
  return error.params.additionalProperties.slice(0, MAX_NAMED).map(name => ({
    pointer: cutPointer(`${error.instancePath}/${pointerToken(name)}`),
    message: `is not a field here${instead}`,
  }))
}

/** What the branches of a union want, as one demand. */
const composition = (
  { instancePath, schemaPath }: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
): Violation => {
  const branches = errors.filter(error => error.schemaPath.startsWith(`${schemaPath}/anyOf/`))
  const literals = branches.flatMap(error => (error.keyword === 'const' ? [String(error.params.allowedValue)] : []))
  const demands = new Set(branches.filter(error => error.keyword !== 'const').map(error => error.message))
  const oneOf = literals.length > 0 ? [`must be one of ${literals.join(', ')}`] : []
  return {
    pointer: cutPointer(instancePath),
    message: [...oneOf, ...demands].join(' or ') || 'has a value that is not allowed',
  }
}

const strict = new WeakMap<TObject, TObject>()

/**
 * The schema with every object closed that does not say otherwise, however deep: an argument that nobody reads is
 * refused, never ignored. What agents are shown and what calls are checked against are this one schema.
 */
export const strictSchema = (schema: TObject): TObject => {
  const known = strict.get(schema)
  if (known) return known
  // Closing objects changes no keyword that makes it an object schema.
  const closed = close(schema) as TObject
  strict.set(schema, closed)
  return closed
}

const close = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(close)
  if (schema === null || typeof schema !== 'object') return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, close(value)]))
  const isOpenObject = closed.type === 'object' && 'properties' in closed && !('additionalProperties' in closed)
  return isOpenObject ? { ...closed, additionalProperties: false } : closed
}
