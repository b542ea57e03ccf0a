import { Type } from 'typebox'
import { thinnedPoints } from '../../../model/metrics/read-points.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { readOperation } from '../define.ts'
import { identifier, inOneAnswer, instant, uuid } from '../parts/fields.ts'

/** More than a chart has room for. */
const MAX_POINTS = 500
const MAX_DAYS = 3660

export const readMetricPoints = readOperation({
  name: 'read_metric_points',
  title: 'The points of a metric',
  summary:
    'Answers the points of a metric for a chart, the oldest first: all of them, or those of the last days. Of more than 500 it answers the last of each of 500 equal parts.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    metric_id: Type.With(identifier, { description: 'The metric webhook. A UUID or exact name.' }),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'How far back. All of them unless given.' }),
    ),
  }),
  output: Type.Object({
    metric: Type.Object({ id: uuid, name: Type.String() }),
    count: Type.Integer({ description: 'Points of that time; fewer are shown where there are more than 500.' }),
    items: inOneAnswer('500 points at most', Type.Object({ value: Type.Number(), occurred_at: instant })),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const { id, name } = await resolveOne(transaction, 'metric', input.metric_id)
      const since = input.days === undefined ? null : new Date(services.now().getTime() - input.days * DAY_MS)
      const { count, points } = await thinnedPoints(transaction, { metric: id, since, most: MAX_POINTS })
      const items = points.map(({ value, occurred_at }) => ({ value, occurred_at: occurred_at.toISOString() }))
      return { data: { metric: { id, name }, count, items } }
    }),
})
