import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { groupOf } from './activity-groups.ts'
import { activityQuery } from './activity-query.ts'
import type { ActivityQuestion } from './activity-question.ts'
import { activityRows } from './activity-rows.ts'
import { chooseRollup } from './rollups.ts'

/** One row of any answer of `analyze_activity`. */
export interface ActivityItem {
  readonly period: string | null
  readonly group: Readonly<Record<string, string>>
  readonly metrics: Readonly<Record<string, number | null>>
  readonly before?: Readonly<Record<string, number | null>>
}

/** A page of figures. */
export interface Figures {
  readonly items: readonly ActivityItem[]
  /** Rows in all. */
  readonly count: number
  /** Where the figures are from; null for single events. */
  readonly rollup: 'hour' | 'day' | null
}

type Row = Readonly<Record<string, string | number | null>> & { readonly total: number }

/** ClickHouse answers NaN, which JSON cannot say, or null for a figure of nothing. */
const figure = (value: string | number | null | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)

const toItem = (row: Row, { granularity, groupBy, metrics, before, places }: ActivityQuestion): ActivityItem => {
  const figures = (which: 'metric' | 'before') =>
    Object.fromEntries(metrics.map(metric => [metric, figure(row[`${which}_${metric}`])]))
  return {
    period: granularity === null ? null : String(row.period),
    group: groupOf(row, groupBy, places),
    metrics: figures('metric'),
    ...(before === null ? {} : { before: figures('before') }),
  }
}

/** Answers a page of the figures that were asked for, from a rollup where one has them. */
export const readFigures = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  question: ActivityQuestion,
  page: { readonly limit: number; readonly offset: number },
  rollup = chooseRollup(question),
): Promise<Figures> => {
  const rows = await activityRows<Row>(analytics, workspaceId, activityQuery(question, rollup, page))
  return { items: rows.map(row => toItem(row, question)), count: rows[0]?.total ?? 0, rollup }
}
