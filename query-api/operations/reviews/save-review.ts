import { composeReview, storeReview } from '../../../model/reviews/reviews.ts'
import { actorLabel, writeOperation } from '../define.ts'
import { periodOf, ReviewShape, reviewInput, toReview } from './review.ts'

export const saveReview = writeOperation({
  name: 'save_review',
  title: 'Prepare and save a Product Review',
  summary:
    'Prepares a Product Review of a period (default the last 30 days) and saves it with the figures that it was made from: what changed, claims that rose and fell against the same time before, Solutions moved and stuck, Outcomes, metrics. service_analyze mode prepare_review shows it without saving; mode reviews reads saved ones.',
  effect: 'write',
  units: 5,
  role: 'member',
  audience: 'everyone',
  input: reviewInput,
  output: ReviewShape,
  apply: async (input, transaction, { caller, services }) => {
    const at = services.now()
    const { period, title } = periodOf(input, at)
    const review = await composeReview(transaction, period, { title, by: actorLabel(caller), at })
    return { data: toReview(await storeReview(transaction, caller.workspaceId, review), input.depth ?? 'standard') }
  },
})
