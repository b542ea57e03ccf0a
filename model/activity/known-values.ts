import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { MAX_NEAREST } from '../words/nearest-names.ts'
import { activityRows } from './activity-rows.ts'
import { FIELDS, type Field } from './activity-vocabulary.ts'

/** Of one name in several letter cases. */
const MAX_SPELLINGS = 1000

/** The values that events of the workspace have in a field, by what was asked for in any letter case. */
export const storedValues = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  field: Field,
  values: readonly string[],
): Promise<readonly string[]> => {
  const column = FIELDS[field]
  const rows = await activityRows<{ readonly value: string }>(analytics, workspaceId, {
    select: `DISTINCT ${column} AS value`,
    where: [`lowerUTF8(${column}) IN {values: Array(String)}`],
    parameters: { values: values.map(value => value.trim().toLowerCase()) },
    limit: MAX_SPELLINGS,
  })
  return rows.map(({ value }) => value)
}

/** The values of a field that are spelled most like one that no event has, the nearest first. */
export const nearestValues = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  field: Field,
  value: string,
): Promise<readonly string[]> => {
  const column = FIELDS[field]
  const nearest = await activityRows<{ readonly value: string }>(analytics, workspaceId, {
    select: `${column} AS value`,
    where: [`${column} != ''`],
    groupBy: ['value'],
    orderBy: 'ngramDistanceCaseInsensitiveUTF8(value, {value: String}), value',
    limit: MAX_NEAREST,
    parameters: { value },
  })
  return nearest.map(row => row.value)
}
