import { Type } from 'typebox'

/** The fields of a Solution that several modes set. */

export const title = Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', description: 'What it is called.' })

export const summary = Type.String({ maxLength: 20_000, description: 'What it is, in Markdown.' })

export const priorityBoost = Type.Number({
  minimum: 0.1,
  maximum: 10,
  description: 'Multiplies the evidence priority: 0.1 to 10, 1 is neutral.',
})

export const solutionId = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'The Solution: UUID, reference such as SOL-12, or exact title.',
})

export const claimIds = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 50, description }))
