import { type Static, Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { ActivityQuestion } from '../../../model/activity/activity-question.ts'
import {
  FIELD_NAMES,
  FILTER_OPERATORS,
  type Granularity,
  METRIC_NAMES,
  type Metric,
} from '../../../model/activity/activity-vocabulary.ts'
import { CLOCKS } from '../../../model/signals/happened.ts'
import { MAX_FILTER_VALUES, MAX_FILTERS, MAX_GROUP_BY } from '../../../schemas/domain/limits.ts'
import { cursor, limit, oneOf } from '../parts/fields.ts'
import { Time } from '../parts/time-range.ts'
import { QUESTION_NAMES } from './questions.ts'

const Filter = Type.Object({
  field: oneOf(FIELD_NAMES),
  op: oneOf(FILTER_OPERATORS, { description: 'contains: any, in any case.' }),
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
    Type.Boolean({ description: 'Also the period before. It has equal length, and is in before.' }),
  ),
  order: Type.Optional(Order),
  format: Type.Optional(oneOf(['items', 'csv'], { description: 'csv answers data.csv.' })),
  limit,
  cursor,
})
export type ActivityInput = Static<typeof ActivityInput>

/** The order asked for, or the usual one. Throws `invalid_input` for an order by what the answer does not have. */
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
