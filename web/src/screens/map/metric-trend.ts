import { t } from '../../language/messages.ts'
import type { OutlinedNode } from './outline.ts'

/** Which way a node’s metrics went, taken together; `none` where there is nothing to tell by. */
export type MetricTrend = 'better' | 'worse' | 'mixed' | 'same' | 'none'

export const METRIC_TRENDS: Readonly<Record<MetricTrend, { readonly sign: string; readonly label: string }>> = {
  better: { sign: '▲', label: t('Better') },
  worse: { sign: '▼', label: t('Worse') },
  mixed: { sign: '◆', label: t('Some better, some worse') },
  same: { sign: '=', label: t('No change') },
  none: { sign: '', label: t('No metric') },
}

/** By what each metric’s newest point is against the one before, in the direction that is good for it. */
export const metricTrendOf = ({ metrics }: Pick<OutlinedNode, 'metrics'>): MetricTrend => {
  const changes = new Set(metrics.map(({ change }) => change))
  if (changes.has('better')) return changes.has('worse') ? 'mixed' : 'better'
  if (changes.has('worse')) return 'worse'
  return changes.has('same') ? 'same' : 'none'
}
