import {
  type ActivityQuestion,
  FIELD_NAMES,
  FILTER_OPERATORS,
  type Granularity,
  METRIC_NAMES,
  type Metric,
} from '../../../model/activity/activity-question.ts'
import type { ActivityItem, Figures } from '../../../model/activity/figures.ts'
import { CLOCKS } from '../../../model/signals/happened.ts'
import { MAX_FILTER_VALUES, MAX_FILTERS, MAX_GROUP_BY } from '../../../schemas/domain/limits.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { cursor, limit, nullable, oneOf } from '../parts/fields.ts'
import { Time } from '../parts/filters.ts'

/** Frequent questions that have a name. */
const QUESTION_NAMES = ['funnel', 'trending', 'latency', 'sources'] as const
type QuestionName = (typeof QUESTION_NAMES)[number]

const OF_EVERY_QUESTION = ['question', 'limit', 'cursor', 'format']

/** Fields of each named question beside the common ones; `time` allows periods only where noted. */
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

/** Throws `invalid_input` with the refused and the allowed fields. */
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

const FigureOf = Type.Record(Type.String(), nullable(Type.Number()), {
  description: 'Null where there is nothing to measure.',
})

export const Item = Type.Object({
  period: nullable(Type.String({ description: 'Start of the period, in the time zone asked for.' })),
  group: Type.Intersect([
    Type.Record(Type.String(), Type.String({ description: 'Empty where the field does not apply.' })),
    // All other fields have the service's own words.
    Type.Partial(
      Type.Object({
        source: untrustedText(),
        actor: untrustedText(),
        account: untrustedText(),
        plan: untrustedText(),
        language: untrustedText(),
      }),
    ),
  ]),
  named: Type.Optional(
    Type.Record(Type.String(), Type.Object({ reference: nullable(Type.String()), title: untrustedText() }), {
      description: 'The claim, the theme, the node and the actor of group.',
    }),
  ),
  metrics: FigureOf,
  before: Type.Optional(FigureOf),
})

export interface ActivityPage extends Figures {
  /** A hint for reading the figures; null when their names are clear. */
  readonly note: string | null
  /** Names of the actors in its groups. */
  readonly actorNames?: ReadonlyMap<string, string> | undefined
}

/** A page of rows that are all in memory. */
export const pageOf = (
  items: readonly ActivityItem[],
  { limit, offset }: { readonly limit: number; readonly offset: number },
  note: string | null,
): ActivityPage => ({ items: items.slice(offset, offset + limit), count: items.length, rollup: null, note })

const Filter = Type.Object({
  field: oneOf(FIELD_NAMES),
  op: oneOf(FILTER_OPERATORS, {
    description: 'contains: any part, in any case. Titles of claims, nodes and themes.',
  }),
  values: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: MAX_FILTER_VALUES }),
})

const Order = Type.Object(
  {
    by: Type.String({ maxLength: 40, description: 'One of metrics, or period.' }),
    direction: Type.Optional(oneOf(['asc', 'desc'])),
  },
  { description: 'Default by period, else highest first. Of the first metric.' },
)

export const ActivityInput = Type.Object({
  question: Type.Optional(
    oneOf(QUESTION_NAMES, {
      description:
        'Ready-made, without metrics. Of them trending: rose beyond chance; latency: receive to insert; sources: health.',
    }),
  ),
  metrics: Type.Optional(
    Type.Array(oneOf(METRIC_NAMES), { minItems: 1, uniqueItems: true, description: 'Default count.' }),
  ),
  group_by: Type.Optional(
    Type.Array(oneOf(FIELD_NAMES), {
      maxItems: MAX_GROUP_BY,
      uniqueItems: true,
      description: 'One row for each combination.',
    }),
  ),
  time: Type.Optional(Time),
  clock: Type.Optional(oneOf(CLOCKS, { description: 'Default occurred: when it happened. received: when it came.' })),
  filters: Type.Optional(Type.Array(Filter, { maxItems: MAX_FILTERS, description: 'All must hold.' })),
  compare: Type.Optional(
    Type.Boolean({
      description:
        'Also the period before. It is in before: as many months where the time is whole ones, else as many days; of a time that is not over, as long as it has come.',
    }),
  ),
  order: Type.Optional(Order),
  format: Type.Optional(oneOf(['items', 'csv'], { description: 'csv answers data.csv.' })),
  limit,
  cursor,
})
export type ActivityInput = Static<typeof ActivityInput>

/** The requested order, or the usual one. Throws `invalid_input` for a field that the answer lacks. */
export const orderOf = (
  requestedOrder: ActivityInput['order'],
  metrics: readonly Metric[],
  granularity: Granularity | null,
): ActivityQuestion['order'] => {
  const usual = granularity === null ? metrics[0] : 'period'
  const asks = requestedOrder?.by ?? usual
  const answered: readonly (Metric | 'period')[] = granularity === null ? metrics : [...metrics, 'period']
  const by = answered.find(name => name === asks)
  if (by === undefined) {
    const why = asks === 'period' ? 'period needs time.granularity' : `${asks} is not among metrics`
    throw new AssayError('invalid_input', `order.by must be one of ${answered.join(', ')}: ${why}.`, {
      violations: [{ pointer: '/order/by', message: `must be one of ${answered.join(', ')}` }],
    })
  }
  return { by, direction: requestedOrder?.direction ?? (by === 'period' ? 'asc' : 'desc') }
}
