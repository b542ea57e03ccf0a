import { composeReview } from '../../../model/reviews/reviews.ts'
import { actorLabel, readOperation } from '../define.ts'
import { periodOf, ReviewShape, reviewInput, toReview } from './review.ts'

export const prepareReview = readOperation({
  name: 'prepare_review',
  title: 'Prepare a Product Review without saving it',
  summary:
    'Prepares a Product Review of a period (default the last 30 days) as service_analyze mode review would save it, and saves nothing. depth full adds the figures.',
  units: 5,
  role: 'viewer',
  audience: 'everyone',
  input: reviewInput,
  output: ReviewShape,
  run: (input, { read, services, caller }) =>
    read(async transaction => {
      const at = services.now()
      const { period, title } = periodOf(input, at)
      const review = await composeReview(transaction, period, { title, by: actorLabel(caller), at })
      return { data: toReview(review, input.depth ?? 'standard') }
    }),
})
