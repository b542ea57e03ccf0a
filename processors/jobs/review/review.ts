import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { FIGURE_PARTS, gatherPart } from '../../../model/reviews/figures.ts'
import { ReviewFigures } from '../../../model/reviews/review-figures.ts'
import { isReviewJobInput, type ReviewJobInput, reviewOf, storeReview } from '../../../model/reviews/reviews.ts'
import type { ReviewId } from '../../../schemas/domain/ids.ts'
import { cursorReader, type JobDefinition, type JobSlice } from '../job-kind.ts'

const Cursor = Type.Object({ part: Type.Integer(), figures: Type.Partial(ReviewFigures) })
const readCursor = cursorReader(Cursor)

const validFigures = Compile(ReviewFigures)

const readInput = (stored: unknown): ReviewJobInput => {
  if (isReviewJobInput(stored)) return stored
  throw new AssayError('internal', 'The review was asked for by another version. Ask for it again.')
}

/**
 * Prepares a Product Review, a part of its figures a slice, and saves it with the last part. The review has the job's
 * id, so a repeated slice saves nothing twice.
 */
export const createReviewJob = ({ database }: { readonly database: Database }): JobDefinition => ({
  kind: 'review',
  slice: async ({ jobId, workspaceId, input: jobInput, cursor: stored }: JobSlice) => {
    const { title, from, to, previous_from = 2 * from - to, time_zone: timeZone = 'UTC', by, at } = readInput(jobInput)
    const period = { from: new Date(from), to: new Date(to), previous_from: new Date(previous_from), timeZone }
    const { part, figures: before } = readCursor(stored) ?? { part: 0, figures: {} }
    return database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
      const figures = { ...before, ...(await gatherPart(transaction, period, part)) }
      const step = { done: 1, failed: 0, total: FIGURE_PARTS }
      if (part + 1 < FIGURE_PARTS) return { ...step, cursor: { part: part + 1, figures } }
      if (!validFigures.Check(figures)) throw new AssayError('internal', 'A part of the figures is missing.')
      const review = reviewOf(figures, period, { title, by, at: new Date(at) })
      // A review and its job share their id; only the type differs.
      await storeReview(transaction, workspaceId, review, jobId as string as ReviewId)
      return { ...step, cursor: null }
    })
  },
})
