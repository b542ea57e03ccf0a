import { findJob } from '../../../model/jobs/jobs.ts'
import { ReviewFigures } from '../../../model/reviews/review-figures.ts'
import { loadReview } from '../../../model/reviews/reviews.ts'
import { AssayError, readOperation, Type } from '../define.ts'
import { JobShape, jobShape } from '../jobs/job.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { ReviewShape, toReview } from './review.ts'

export const readReview = readOperation({
  name: 'read_review',
  title: 'A Product Review with all of its figures, or how far it is',
  summary:
    'Answers a saved Product Review with every figure that it was made from, series for charts included; while it is being prepared, or when that came to nothing, the job instead.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({ id: Type.With(uuid, { description: 'The review, or the job that prepares it.' }) }),
  output: Type.Object({
    review: nullable(
      Type.Object({
        ...Type.Omit(ReviewShape, ['id', 'figures']).properties,
        id: uuid,
        figures: ReviewFigures,
      }),
    ),
    job: nullable(JobShape),
  }),
  run: ({ id }, { read }) =>
    read(async transaction => {
      const saved = await loadReview(transaction, id)
      if (saved !== undefined) {
        const review = { ...toReview(saved, 'standard'), id: saved.id, figures: saved.figures }
        return { data: { review, job: null } }
      }
      const job = await findJob(transaction, id)
      if (job?.kind === 'review') return { data: { review: null, job: jobShape(job) } }
      throw new AssayError('not_found', `No Product Review of this workspace is ${id}.`)
    }),
})
