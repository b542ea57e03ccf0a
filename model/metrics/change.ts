import type { MetricDirection } from '../../schemas/domain/vocabulary.ts'

export const METRIC_CHANGES = ['better', 'worse', 'same'] as const
export type MetricChange = (typeof METRIC_CHANGES)[number]

/** What became of a metric between two readings, by the direction that is good for it. */
export const metricChangeOf = (direction: MetricDirection, previous: number, newest: number): MetricChange => {
  if (newest === previous) return 'same'
  return newest > previous === (direction === 'up_is_good') ? 'better' : 'worse'
}

/** Whether a reading has reached the target or gone beyond it. */
export const hasReached = (direction: MetricDirection, target: number, value: number): boolean =>
  direction === 'up_is_good' ? value >= target : value <= target
