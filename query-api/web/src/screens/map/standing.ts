import type { OutlinedNode } from './outline.ts'

/** Which way a node’s metrics went, taken together; `none` where there is nothing to tell by. */
export type Standing = 'better' | 'worse' | 'mixed' | 'same' | 'none'

export const STANDINGS: Readonly<Record<Standing, { readonly sign: string; readonly says: string }>> = {
  better: { sign: '▲', says: 'Better' },
  worse: { sign: '▼', says: 'Worse' },
  mixed: { sign: '◆', says: 'Some better, some worse' },
  same: { sign: '=', says: 'As before' },
  none: { sign: '', says: 'No metric' },
}

/** By what each metric’s newest point is against the one before, in the direction that is good for it. */
export const standingOf = ({ metrics }: Pick<OutlinedNode, 'metrics'>): Standing => {
  const changes = new Set(metrics.map(({ change }) => change))
  if (changes.has('better')) return changes.has('worse') ? 'mixed' : 'better'
  if (changes.has('worse')) return 'worse'
  return changes.has('same') ? 'same' : 'none'
}
