import { type Field, type Metric, SAYS_WHAT } from '../../../model/activity/activity-vocabulary.ts'

interface Asked {
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly filters: readonly { readonly field: Field }[]
}

const EVENTS =
  'count is of events, about ten a Signal. To count Signals: metrics distinct_signals, or filters step in [insert] and outcome in [next].'
const EMPTY =
  'An empty group holds earlier events of Signals that other rows count too, and those it never applied to: filter step in [insert] and outcome in [next] to tell.'
const CLAIM =
  'A Signal counts for the claim that the pipeline gave it as it came. What people promoted, merged or split is not in it: service_lookup mode signals with claim_id lists the evidence of now.'

/** What steps find on the way. */
const FOUND: ReadonlySet<Field> = new Set<Field>(['node', 'classification', 'claim'])

/** How to read figures of events where they are easily taken for Signals; null where nothing can be mistaken. */
export const noteOnEvents = ({ metrics, groupBy, filters }: Asked): string | null => {
  const fields = [...groupBy, ...filters.map(({ field }) => field)]
  const saysWhat = fields.some(field => SAYS_WHAT.has(field))
  const notes = [
    ...(metrics.includes('count') && !saysWhat ? [EVENTS] : []),
    ...(groupBy.some(field => FOUND.has(field)) && !saysWhat ? [EMPTY] : []),
    ...(fields.includes('claim') ? [CLAIM] : []),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}
