import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { activityRows } from './activity-rows.ts'
import { FIELDS, type Field } from './activity-vocabulary.ts'

/** Shown for a value that is none. */
const MAX_NEAREST = 5
export interface UnknownValue {
  readonly value: string
  /** Values of the field that are spelled most alike, the nearest first. */
  readonly nearest: readonly string[]
}

/** The first of `values` that no event of the workspace ever had in a field; undefined where each had been. Nothing is known of the empty value. */
export const firstUnknownValue = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  field: Field,
  values: readonly string[],
): Promise<UnknownValue | undefined> => {
  const column = FIELDS[field]
  const asked = values.filter(value => value !== '')
  if (asked.length === 0) return
  const found = await activityRows<{ readonly value: string }>(analytics, workspaceId, {
    select: `DISTINCT ${column} AS value`,
    where: [`${column} IN {values: Array(String)}`],
    parameters: { values: asked },
    limit: asked.length,
  })
  const known = new Set(found.map(({ value }) => value))
  const value = asked.find(each => !known.has(each))
  if (value === undefined) return
  const nearest = await activityRows<{ readonly value: string }>(analytics, workspaceId, {
    select: `${column} AS value`,
    where: [`${column} != ''`],
    groupBy: ['value'],
    orderBy: 'ngramDistanceCaseInsensitiveUTF8(value, {value: String}), value',
    limit: MAX_NEAREST,
    parameters: { value },
  })
  return { value, nearest: nearest.map(row => row.value) }
}
