import type { TEnum, TSchema } from 'typebox'
import { HOUR_MS } from '../../../schemas/domain/durations.ts'
import { MAX_CHARACTERS, MAX_LIMIT } from '../../../schemas/domain/limits.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, type Static, Type } from '../define.ts'

/** Recurring arguments and shapes, with the same names, descriptions and limits everywhere. */

/** A word of a closed vocabulary, as a plain JSON Schema `enum` that every client understands. */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  options: object = {},
): TEnum<[...Values]> => Type.Enum<[...Values]>([...values], { type: 'string', ...options })

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const uuid = Type.String({ format: 'uuid' })
export const instant = Type.String({ description: 'ISO 8601, UTC.' })

const DEPTHS = ['summary', 'standard', 'full'] as const
export type Depth = (typeof DEPTHS)[number]

export const depth = Type.Optional(
  oneOf(DEPTHS, { description: 'Default standard. A summary is a few lines; of a list, a line for each item.' }),
)

/** Depth of a list: agents without a depth read lines, the app reads whole items. */
export const listDepth = Type.Optional(
  oneOf(DEPTHS, {
    default: 'summary',
    description: 'Default summary, a line for each item; of one object that id names, and in the app, standard.',
  }),
)

export const identifier = Type.String({
  minLength: 1,
  maxLength: MAX_CHARACTERS.identifier,
  description: 'UUID, reference (SIG-7) or exact name.',
})

export const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    description:
      'Default 20. At most so many items, and as many as the tokens of the depth hold; summaries all that fit.',
  }),
)
export const DEFAULT_LIMIT = 20

/** Items of a list without pages, and the reason why it needs none. */
export const inOneAnswer = <Item extends TSchema>(why: string, item: Item) =>
  Type.Array(item, { description: `All in one answer: ${why}.` })

export const cursor = Type.Optional(
  Type.String({ maxLength: 500, description: 'meta.next_cursor. That of the answer before, to go on with its list.' }),
)

export const comment = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MAX_CHARACTERS.comment,
    pattern: '\\S',
    description: 'What a human decided and why. Logged as a Decision made through this key.',
  }),
)

export const decisionId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: MAX_CHARACTERS.identifier,
    description: 'A logged Decision, instead of comment. A UUID or reference (DEC-4).',
  }),
)

export const version = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version you read. If it has changed since, the write is refused.' }),
)

/** A call worth making next, in the tools' words. */
export const NextCall = Type.Object({
  tool: Type.String(),
  mode: Type.String(),
  reason: ownText(),
})
export type NextCall = Static<typeof NextCall>

/** A longer time between the event and the receipt, ms, means an import or a delay. */
const LATER_MS = HOUR_MS

/** Fields beside the `occurred_at` of a text. */
export const CameIn = {
  received_at: Type.Optional(
    Type.With(instant, { description: 'When it came in, where that was more than an hour after it happened.' }),
  ),
}

/** Values of `CameIn`. */
export const cameIn = (row: {
  readonly occurred_at: Date
  readonly received_at: Date
}): { readonly received_at?: string } =>
  row.received_at.getTime() - row.occurred_at.getTime() > LATER_MS ? { received_at: row.received_at.toISOString() } : {}

/** Arguments of an action beside `action`. */
export interface ActionFields {
  readonly needs: readonly string[]
  readonly may: readonly string[]
}

/** Refuses, by name, a field that the action does not read, or a missing one. */
export const requireActionFields = (
  given: Readonly<Record<string, unknown>> & { readonly action: string },
  { needs, may }: ActionFields,
): void => {
  const allowed = new Set(['action', ...needs, ...may])
  const foreign = Object.keys(given).filter(field => !allowed.has(field))
  const missing = needs.filter(field => given[field] === undefined)
  if (foreign.length + missing.length === 0) return
  const optional = may.length === 0 ? '' : ` and may take ${may.join(', ')}`
  throw new AssayError('invalid_input', `Action ${given.action} needs ${needs.join(', ')}${optional}.`, {
    violations: [
      ...missing.map(field => ({ pointer: `/${field}`, message: `is required by action ${given.action}` })),
      ...foreign.map(field => ({ pointer: `/${field}`, message: `is not a field of action ${given.action}` })),
    ],
  })
}

/** A field that `requireActionFields` has checked. */
export const requireField = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('A field that the action needs was not checked.')
  return value
}
