import { Type } from 'typebox'

/** Fields that several modes of the portfolio take. */

export const solutionIds = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: 50,
    description: 'Solutions. UUIDs, references or exact titles.',
  }),
)

export const position = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100_000, description: '1 is first; default last.' }),
)
