import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** What a job that prepares a Product Review is given. The review has the id of its job. */
const ReviewJobInput = Type.Object({
  title: Type.String(),
  from: Type.Integer({ description: 'Milliseconds since the epoch.' }),
  to: Type.Integer({ description: 'Milliseconds since the epoch.' }),
  by: Type.String(),
  at: Type.Integer({ description: 'When somebody asked for it, in milliseconds since the epoch.' }),
})
export type ReviewJobInput = Static<typeof ReviewJobInput>

const compiled = Compile(ReviewJobInput)

export const isReviewJobInput = (input: unknown): input is ReviewJobInput => compiled.Check(input)
