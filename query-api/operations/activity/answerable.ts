import type { ActivityQuestion } from '../../../model/activity/activity-question.ts'
import { unansweredPart } from '../../../model/activity/fields-of-kinds.ts'
import { AssayError } from '../define.ts'

const CLASSIFIED =
  ' A Signal is classified after it is received: filter step in [insert] and outcome in [next], without kind, to count stored Signals by it.'

/**
 * Throws `invalid_input` for a question whose answer would be 0 or null whatever happened, since no event that it is
 * about has a field or a measure that it names. The message says which kinds of events have it.
 */
export const requireAnswerable = (question: Pick<ActivityQuestion, 'filters' | 'groupBy' | 'metrics'>): void => {
  const unanswered = unansweredPart(question)
  if (unanswered === null) return
  const { part, name, kinds, having } = unanswered
  const left =
    kinds.length === 0
      ? 'The filters leave no kind of event to count.'
      : `Events of ${kinds.join(', ')} have no ${name}: there is nothing to count.`
  // Every kind has a kind.
  const message = name === 'kind' ? left : `${left} These kinds have ${name}: ${having.join(', ')}.`
  throw new AssayError('invalid_input', `${message}${name === 'classification' ? CLASSIFIED : ''}`, {
    violations: [{ pointer: `/${part}`, message: `names ${name}, which no event that is left has` }],
  })
}
