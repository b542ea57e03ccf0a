import type { Filter } from './activity-question.ts'
import { FIELDS } from './activity-vocabulary.ts'
import type { Places, SignalPlaces } from './signal-places.ts'

/** A filter by places, as their labels. A part of an id stands for all that have it. */
const labelsOf = ({ op, values }: Filter, { ids, labelOf }: SignalPlaces): readonly string[] => {
  if (op !== 'contains') return values.map(value => (value === '' ? '' : labelOf(value)))
  return ids.filter(id => values.some(value => id.includes(value.toLowerCase()))).map(labelOf)
}

const condition = ({ field, op }: Filter, index: number, places: Places): string => {
  const column = FIELDS[field]
  const values = `{filter_${index}: Array(String)}`
  const place = places[field]
  if (place !== undefined) return `${op === 'not_in' ? 'NOT ' : ''}hasAny(${place.labels}, ${values})`
  // A source's signals are named by the sender's own word, if it has one, and by the source.
  if (field === 'source' && op !== 'contains') {
    const named = `(${column} IN ${values} OR source_id != '' AND source_id IN ${values})`
    return op === 'in' ? named : `NOT ${named}`
  }
  if (op === 'contains') return `multiSearchAnyCaseInsensitiveUTF8(${column}, ${values})`
  return `${column} ${op === 'in' ? 'IN' : 'NOT IN'} ${values}`
}

/** The filters as conditions of a statement; all of them must hold. Fields come from the allow-list. */
export const filterConditions = (filters: readonly Filter[], places: Places): readonly string[] =>
  filters.map((filter, index) => condition(filter, index, places))

/** What the conditions and the groups name, for the statement to bind. */
export const filterParameters = (
  filters: readonly Filter[],
  places: Places,
): Readonly<Record<string, string | readonly string[]>> => ({
  ...places.claim?.parameters,
  ...places.node?.parameters,
  ...Object.fromEntries(
    filters.map((filter, index) => {
      const place = places[filter.field]
      return [`filter_${index}`, place === undefined ? [...filter.values] : labelsOf(filter, place)]
    }),
  ),
})
