import { Type } from 'typebox'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { nullable } from '../parts/fields.ts'

/** The fields of a Solution that several modes set. */

export const title = Type.String({
  minLength: 1,
  maxLength: MAX_CHARACTERS.title,
  pattern: '\\S',
  description: 'Its title.',
})

export const summary = Type.String({
  maxLength: MAX_CHARACTERS.solutionSummary,
  description: 'In Markdown.',
})

export const priorityBoost = Type.Number({
  minimum: 0.1,
  maximum: 10,
  description: 'Factor of the evidence priority, 0.1 to 10. Neutral is 1.',
})

export const manualRank = Type.Integer({ minimum: 1, maximum: 100_000, description: '1 stands first.' })

const figure = Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1e12 })))

export const rice = Type.Object(
  { reach: figure, impact: figure, confidence: figure, effort: figure },
  { minProperties: 1, description: 'Legacy, for audit; never ranks. A null clears one figure.' },
)

export const solutionId = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'The Solution. A UUID, reference such as SOL-12, or exact title.',
})

export const claimIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 50, description }))
