import { runningJob } from '../../../model/jobs/jobs.ts'
import { FIGURE_PARTS } from '../../../model/reviews/figures.ts'
import type { ReviewJobInput } from '../../../model/reviews/reviews.ts'
import { AssayError, actorLabel, Type, writeOperation } from '../define.ts'
import { beginJob, JobShape, jobShape, readJob } from '../jobs/job.ts'
import { periodOf, reviewInput } from './review.ts'

export const startReview = writeOperation({
  name: 'start_review',
  title: 'Prepare and save a Product Review in the background',
  summary:
    'Starts preparing a Product Review of a period, part by part, and answers the job at once. The review has the id of the job and is saved with its last part; read_review shows both. Cancelled, nothing is saved.',
  effect: 'write',
  units: 5,
  role: 'member',
  audience: 'people',
  cannotBeUndone: 'A job makes the review. End it under Run → Pipeline.',
  input: Type.Pick(reviewInput, ['time', 'title']),
  output: JobShape,
  apply: async (input, transaction, context) => {
    const { caller, services } = context
    const at = services.now()
    const { period, title } = periodOf(input, at)
    const jobInput: ReviewJobInput = {
      title,
      from: period.from.getTime(),
      to: period.to.getTime(),
      previous_from: period.previous_from.getTime(),
      time_zone: period.timeZone,
      by: actorLabel(caller),
      at: at.getTime(),
    }
    const id = await beginJob(transaction, context, { kind: 'review', input: { ...jobInput }, total: FIGURE_PARTS })
    if (id !== null) return { data: jobShape(await readJob(transaction, id)) }
    const running = await runningJob(transaction, 'review')
    throw new AssayError(
      'conflict',
      'Another Product Review is being prepared in this workspace; nothing was started. Wait for it, or cancel it.',
      { context: { id: running?.id ?? null } },
    )
  },
})
