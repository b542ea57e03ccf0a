import { type TEnum, type TSchema, Type } from 'typebox'

/** Arguments that recur: named, described and bounded alike wherever they are taken. */

/** One word of a closed vocabulary, as a plain JSON Schema `enum` that every client understands. */
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
  oneOf(DEPTHS, { description: 'How much to answer: summary (a few lines), standard (default), full.' }),
)

export const identifier = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'A UUID, a reference such as SIG-7, CLM-3, SOL-12 or DEC-4, or an exact name.',
})

export const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, description: 'At most this many items. Default 20.' }),
)
export const DEFAULT_LIMIT = 20

export const cursor = Type.Optional(
  Type.String({ maxLength: 500, description: 'meta.next_cursor of the answer before, to go on with that list.' }),
)

export const comment = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4000,
    description: 'What a human decided and why, in a sentence. Logged as a Decision made through this key.',
  }),
)

export const decisionId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'A Decision already logged (UUID or DEC-4) that this change hangs on, instead of a comment.',
  }),
)

export const version = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version you read. If it has changed since, the write is refused.' }),
)
