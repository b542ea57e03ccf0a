/** Filters for received signals in the analytics: each counts once, at the end of the step that stores signals. */
const CAME_IN = [
  { field: 'kind', op: 'in', values: ['signal.step'] },
  { field: 'step', op: 'in', values: ['insert'] },
  { field: 'outcome', op: 'in', values: ['next'] },
]

/** Question in Explore for the signals of a period (ISO 8601), all or of one classification. */
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
