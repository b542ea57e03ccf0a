import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import type { Violation } from '../../../infra/runtime/errors.ts'
import { visibleJson } from '../../../schemas/domain/visible-text.ts'
import { isShallow, TOO_DEEP, withoutNulls } from '../../../schemas/http/json-values.ts'
import { cutPointer, errorsIn, pointerToken, type Validator, violationsOf } from '../../../schemas/http/violations.ts'
import { AssayError, type Caller, type Operation, Type } from '../define.ts'

/** Input and answer of every operation's call, from either door. */

/** Facts beside `data` in every answer. */
interface Meta {
  /** Time of the answer, ISO 8601, UTC. */
  readonly timestamp: string
  readonly work_units: number
  readonly next_cursor: string | null
  /** Id of the workspace. */
  readonly workspace: string
  /** For example that fewer items fit than were requested. */
  readonly note?: string
  /**
   * For a write: the change that `undo_change` takes. Null when nothing changed or the change cannot be undone; absent
   * for a read.
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
  /** Authenticated by the call's door. */
  readonly caller: Caller
  readonly input: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | null
  /** The called tool and mode; absent for an operation that was called by its own name. */
  readonly tool?: { readonly name: string; readonly mode: string }
}

/**
 * Runs an operation for a caller. Rejects with an AssayError; with `InvalidArguments` when the input does not fit its
 * schema.
 */
export type Call = (operation: Operation, request: CallRequest) => Promise<CallResult>

/** Most violations in a refusal. */
export const MAX_NAMED = 100

/** The arguments do not fit the schema; nothing was looked up and nothing ran. */
export class InvalidArguments extends AssayError {
  constructor(what: string, found: readonly Violation[]) {
    const violations = found.slice(0, MAX_NAMED)
    const sentences = violations.map(({ pointer, message }) => `${pointer || 'the whole'} ${message}`)
    super('invalid_input', `The arguments of ${what} do not fit: ${sentences.join('; ')}.`, { violations })
  }
}

// TypeBox stops at 8 errors by default; callers should see all of them.
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
 * The input without invisible characters and without optional null fields, checked against the operation's schema:
 * texts of members and agents reach other people and agents. Throws `InvalidArguments` with all violations; `called`
 * names the call.
 */
export const acceptedInput = (operation: Operation, sent: Input, called: string): Input => {
  // The given object, or a copy of it.
  const input = withoutNulls(operation.input, sent) as Input
  // Checked before the walk, because the check limits the nesting.
  validate(operation, input, called)
  const shown = visibleJson(input)
  if (shown !== input) validate(operation, shown, called)
  return shown
}

/**
 * Checks the input against an operation's schema. Throws `InvalidArguments` with all violations; `called` names the
 * call.
 */
export const validate = (
  { input: schema, hints = {} }: Pick<Operation, 'input' | 'hints'>,
  input: Input,
  called: string,
): void => {
  // Checked before the validator, which is recursive.
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

/** `unknownFields` names refused fields, and a single branch of a union says little. */
const isAboutAValue = ({ keyword, schemaPath }: TLocalizedValidationError): boolean =>
  keyword !== 'additionalProperties' && keyword !== 'boolean' && keyword !== 'anyOf' && !schemaPath.includes('/anyOf/')

/** The part of a schema that describes a place. */
interface Shape {
  readonly description?: string
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

/** Schema of the value at a JSON pointer; undefined where names are free or schemas are composed. */
const shapeAt = (schema: Shape, pointer: string): Shape | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<Shape | undefined>((shape, name) => shape?.items ?? ownField(shape?.properties, name), schema)

const ownField = (fields: Shape['properties'] = {}, name: string): Shape | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/**
 * Adds the place's description to an error of type or form: the tool list leaves out fields of some objects, and a
 * pattern says little.
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

/** The demands of a union's branches as one sentence. */
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
 * The schema with every object closed at any depth, unless it states otherwise: an unknown argument is refused, never
 * ignored. Agents see the same schema that checks their calls.
 */
export const strictSchema = (schema: TObject): TObject => {
  const known = strict.get(schema)
  if (known) return known
  // Closing objects keeps the schema an object schema.
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
