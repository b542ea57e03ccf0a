import { type Field, type Metric, SAYS_WHAT } from '../../../model/activity/activity-vocabulary.ts'
import { MAX_PLACED, type Places } from '../../../model/activity/signal-places.ts'

interface Asked {
  readonly metrics: readonly Metric[]
  readonly groupBy: readonly Field[]
  readonly filters: readonly { readonly field: Field }[]
  readonly places: Places
}

const EVENTS =
  'count is of events, about ten a Signal. To count Signals: metrics distinct_signals, or filters step in [insert] and outcome in [next].'
const EMPTY =
  'An empty group holds earlier events of Signals that other rows count too, and those it never applied to: filter step in [insert] and outcome in [next] to tell.'
const CLAIM =
  'Claims are those of now: distinct_signals is what service_lookup mode claim calls signals, of this time: repeats included, what was dismissed left out. A Signal that is evidence of several claims counts for each.'
const THEN = `Nodes are those that Signals came to: this time has more than ${MAX_PLACED}, too many to tell those of now.`

/** How to read figures of events where they are easily taken for Signals; null where nothing can be mistaken. */
export const noteOnEvents = ({ metrics, groupBy, filters, places }: Asked): string | null => {
  const fields = [...groupBy, ...filters.map(({ field }) => field)]
  const saysWhat = fields.some(field => SAYS_WHAT.has(field))
  const notes = [
    ...(metrics.includes('count') && !saysWhat ? [EVENTS] : []),
    ...(metrics.length > 0 && groupBy.includes('classification') && !saysWhat ? [EMPTY] : []),
    ...(fields.includes('claim') ? [CLAIM] : []),
    ...(fields.includes('node') && places.node === undefined ? [THEN] : []),
  ]
  return notes.length === 0 ? null : notes.join(' ')
}
