import { AssayError } from '../../../infra/runtime/errors.ts'

/** Questions that are asked so often that they have a name. */
export const QUESTION_NAMES = ['funnel', 'trending', 'latency', 'sources'] as const
export type QuestionName = (typeof QUESTION_NAMES)[number]

const OF_EVERY_QUESTION = ['question', 'limit', 'cursor', 'format']

/** What each takes beside these; of `time`, periods only where it says so. */
const TAKES: Readonly<Record<QuestionName, readonly string[]>> = {
  funnel: ['time', 'clock', 'compare'],
  trending: ['time', 'clock', 'group_by', 'filters'],
  latency: ['time', 'time.granularity', 'group_by', 'filters', 'compare', 'order'],
  sources: ['time'],
}

const granularityOf = (input: object): readonly string[] =>
  'time' in input && typeof input.time === 'object' && input.time !== null && 'granularity' in input.time
    ? ['time.granularity']
    : []

/** Throws `invalid_input` that names the fields that the question does not take, and those that it does. */
export const refuseOthers = (question: QuestionName, input: object): void => {
  const allowed = [...OF_EVERY_QUESTION, ...TAKES[question]]
  const given = [...Object.keys(input), ...granularityOf(input)]
  const refused = given.filter(field => !allowed.includes(field))
  if (refused.length === 0) return
  const message = `is not a field of question ${question}, which takes ${allowed.filter(field => field !== 'question').join(', ')}`
  throw new AssayError(
    'invalid_input',
    `${refused.join(', ')} ${message}. Leave question out to choose metrics yourself.`,
    { violations: refused.map(field => ({ pointer: `/${field.replace('.', '/')}`, message })) },
  )
}
