/** What Signals that came in are to the analytics: each once, when the step that stores them was done with it. */
const CAME_IN = [
  { field: 'kind', op: 'in', values: ['signal.step'] },
  { field: 'step', op: 'in', values: ['insert'] },
  { field: 'outcome', op: 'in', values: ['next'] },
]

/** The question of Explore that counts the Signals of a time (ISO 8601), all or of one classification. */
export const signalsQuestion = (
  { from, to }: { readonly from: string; readonly to: string },
  classification?: string,
): string => {
  const filters = [
    ...CAME_IN,
    ...(classification === undefined ? [] : [{ field: 'classification', op: 'in', values: [classification] }]),
  ]
  const search = new URLSearchParams({
    metrics: 'distinct_signals',
    range: 'custom',
    from,
    until: to,
    compare: 'yes',
    filters: JSON.stringify(filters),
  })
  return `/app/explore?${search}`
}
