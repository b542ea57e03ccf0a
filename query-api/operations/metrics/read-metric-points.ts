import { thinnedPoints } from '../../../model/metrics/points.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { readOperation, type Static, Type } from '../define.ts'
import { inOneAnswer, instant, uuid } from '../parts/fields.ts'
import { Time, timeRange } from '../parts/filters.ts'
import { metricId } from './metric.ts'

/** More points than a chart can show. */
const MAX_POINTS = 500
const MAX_DAYS = 3660

export const readMetricPoints = readOperation({
  name: 'read_metric_points',
  title: 'The points of a metric',
  summary:
    'Answers the points of a metric, the oldest first: all of them, those of the last days, or those of a time. Of more than 500 it answers the last of each of 500 equal parts.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  omittedFields: ['days'],
  input: Type.Object({
    metric_id: metricId,
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'How far back. All of them unless given.' }),
    ),
    time: Type.Optional(Type.Pick(Time, ['from', 'to', 'time_zone'])),
  }),
  output: Type.Object({
    metric: Type.Object({ id: uuid, name: ownText() }),
    count: Type.Integer({ description: 'Points of that time; fewer are shown where there are more than 500.' }),
    items: inOneAnswer('500 points at most', Type.Object({ value: Type.Number(), occurred_at: instant })),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const { id, name } = await resolveOne(transaction, 'metric', input.metric_id)
      const { since, until } = rangeOf(input, services.now())
      const { count, points } = await thinnedPoints(transaction, { metric: id, since, until, most: MAX_POINTS })
      const items = points.map(({ value, occurred_at }) => ({ value, occurred_at: occurred_at.toISOString() }))
      return { data: { metric: { id, name }, count, items } }
    }),
})

interface PeriodInput {
  readonly days?: number
  readonly time?: Static<typeof Time>
}

/** Start and end, both included; null without a bound. */
const rangeOf = ({ days, time }: PeriodInput, now: Date): { since: Date | null; until: Date | null } => {
  if (time === undefined)
    return { since: days === undefined ? null : new Date(now.getTime() - days * DAY_MS), until: null }
  const { from, to } = timeRange(time, now, days ?? MAX_DAYS)
  return { since: from, until: new Date(to.getTime() - 1) }
}
