import { FIELDS, type Field } from './activity-vocabulary.ts'
import type { Places } from './signal-places.ts'

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
