import type { OutlinedNode } from './outline.ts'

/** Which way a node’s metrics went, taken together; `none` where there is nothing to tell by. */
export type MetricTrend = 'better' | 'worse' | 'mixed' | 'same' | 'none'

export const METRIC_TRENDS: Readonly<Record<MetricTrend, { readonly sign: string; readonly label: string }>> = {
  better: { sign: '▲', label: 'Better' },
  worse: { sign: '▼', label: 'Worse' },
  mixed: { sign: '◆', label: 'Some better, some worse' },
  same: { sign: '=', label: 'No change' },
  none: { sign: '', label: 'No metric' },
}

/** By what each metric’s newest point is against the one before, in the direction that is good for it. */
export const metricTrendOf = ({ metrics }: Pick<OutlinedNode, 'metrics'>): MetricTrend => {
  const changes = new Set(metrics.map(({ change }) => change))
  if (changes.has('better')) return changes.has('worse') ? 'mixed' : 'better'
  if (changes.has('worse')) return 'worse'
  return changes.has('same') ? 'same' : 'none'
}
