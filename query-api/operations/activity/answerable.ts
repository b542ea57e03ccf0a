import type { ActivityQuestion } from '../../../model/activity/activity-question.ts'
import { unansweredPart } from '../../../model/activity/fields-of-kinds.ts'
import { AssayError } from '../define.ts'

/**
 * Throws `invalid_input` for a question whose answer would always be 0 or null, because its events lack a named field
 * or measure. The message names the kinds of events that have it.
 */
export const requireAnswerable = (question: Pick<ActivityQuestion, 'filters' | 'groupBy' | 'metrics'>): void => {
  const unanswered = unansweredPart(question)
  if (unanswered === null) return
  const { part, name, kinds, having } = unanswered
  const left =
    kinds.length === 0
      ? 'The filters leave no kind of event to count.'
      : `Events of ${kinds.join(', ')} have no ${name}: there is nothing to count.`
  // Every event has a kind.
  const message = name === 'kind' ? left : `${left} These kinds have ${name}: ${having.join(', ')}.`
  throw new AssayError('invalid_input', message, {
    violations: [{ pointer: `/${part}`, message: `names ${name}, which no event that is left has` }],
  })
}
