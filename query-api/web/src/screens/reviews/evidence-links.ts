import type { Times } from './review.ts'

/** What Signals that came in are to the analytics: each once, when the step that stores them was done with it. */
const CAME_IN = [
  { field: 'kind', op: 'in', values: ['signal.step'] },
  { field: 'step', op: 'in', values: ['insert'] },
  { field: 'outcome', op: 'in', values: ['next'] },
]

/** The question of Explore that counts the Signals of a time, all or of one classification. */
export const signalsQuestion = ({ period_from, period_to }: Times, classification?: string): string => {
  const filters = [
    ...CAME_IN,
    ...(classification === undefined ? [] : [{ field: 'classification', op: 'in', values: [classification] }]),
  ]
  const asked = new URLSearchParams({
    metrics: 'distinct_signals',
    range: 'custom',
    from: period_from,
    until: period_to,
    compare: 'yes',
    filters: JSON.stringify(filters),
  })
  return `/app/explore?${asked}`
}

/** The list of what changed of one kind within a time. */
export const changesOf = (kind: string, { period_from, period_to }: Times): string =>
  `/app/changes?${new URLSearchParams({ kind, range: 'between', from: period_from, until: period_to })}`
