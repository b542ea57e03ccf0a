import { type TEnum, type TSchema, Type } from 'typebox'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'

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
  oneOf(DEPTHS, { description: 'Default standard. A summary is a few lines; of a list, a line for each item.' }),
)

export const identifier = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'UUID, reference (SIG-7) or exact name.',
})

export const MAX_LIMIT = 100
export const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_LIMIT,
    description:
      'Default 20. At most so many items, and as many as the tokens of the depth hold; summaries all that fit.',
  }),
)
export const DEFAULT_LIMIT = 20

/** The items of a list that has no pages, with why it needs none. */
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
    maxLength: 300,
    description: 'A logged Decision, instead of comment. A UUID or reference (DEC-4).',
  }),
)

export const version = Type.Optional(
  Type.Integer({ minimum: 1, description: 'The version you read. If it has changed since, the write is refused.' }),
)
