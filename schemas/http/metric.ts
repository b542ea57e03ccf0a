import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** ISO 8601, epoch seconds or epoch milliseconds; see `time.ts`. */
const Time = Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'number'] }))

/** The fields with a metric point's time, in order of precedence. */
export const POINT_TIMES = ['occurred_at', 'timestamp', 'date', 'time'] as const

/** The body of the metric webhook. Other fields are dropped, as for a signal. */
export const MetricBody = Type.Object({
  value: Type.Number(),
  occurred_at: Time,
  timestamp: Time,
  date: Time,
  time: Time,
})
export type MetricBody = Static<typeof MetricBody>

export const metricBody = Compile(MetricBody)
