import type { Clock } from '../signals/happened.ts'
import type { Filter } from './activity-question.ts'
import { FIELDS, type Field } from './activity-vocabulary.ts'
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

/** What a row is grouped by, as columns of a statement. What has several places counts for each. */
export const groupColumns = (groupBy: readonly Field[], places: Places): readonly string[] =>
  groupBy.map(field => {
    const place = places[field]
    return `${place === undefined ? FIELDS[field] : `arrayJoin(${place.labels})`} AS by_${field}`
  })

/** The group of a row with these columns: ids for places. */
export const groupOf = (
  row: Readonly<Record<string, string | number | null>>,
  groupBy: readonly Field[],
  places: Places,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    groupBy.map(field => {
      const value = String(row[`by_${field}`])
      return [field, places[field]?.idOf(value) ?? value]
    }),
  )

/** The column of an event that holds its time by a clock. */
export const EVENT_TIME: Readonly<Record<Clock, string>> = { occurred: 'happened_at', received: 'occurred_at' }

/**
 * The condition that an event is of a time, from the bound `from` until before the bound `to`. Nothing happens after
 * its receipt, which the table is in the order of: what was received before cannot be of it.
 */
export const within = (clock: Clock, from: string, to: string): string => {
  const [begin, end] = [`{${from}: DateTime64(3)}`, `{${to}: DateTime64(3)}`]
  const received = `occurred_at >= ${begin}`
  if (clock === 'received') return `${received} AND occurred_at < ${end}`
  return `${received} AND happened_at >= ${begin} AND happened_at < ${end}`
}
