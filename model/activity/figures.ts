import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import {
  EVENT_TIME,
  endOfSignals,
  filterConditions,
  filterParameters,
  groupColumns,
  groupOf,
  METRICS,
  OF_EVENTS,
  OF_ROLLUPS,
  within,
} from './activity-clauses.ts'
import { type ActivityQuestion, type Granularity, type PeriodOffset, startOf } from './activity-question.ts'
import { type ActivityQuery, activityRows } from './activity-rows.ts'
import { chooseRollup, type Rollup, rollupParts } from './rollups.ts'

/** Start of the period of a time, in the question's zone. */
const PERIODS: Readonly<Record<Granularity, (time: string) => string>> = {
  minute: time => `toStartOfMinute(toDateTime(${time}, {zone: String}))`,
  hour: time => `toStartOfHour(toDateTime(${time}, {zone: String}))`,
  day: time => `toStartOfDay(${time}, {zone: String})`,
  week: time => `toDateTime(toStartOfWeek(${time}, 1, {zone: String}), {zone: String})`,
  month: time => `toDateTime(toStartOfMonth(${time}, {zone: String}), {zone: String})`,
}

/** With a scale, so that the type equals that of shifted times. */
const unshifted = (time: string): string => `toDateTime64(${time}, 3, {zone: String})`

const SHIFTED: Readonly<Record<PeriodOffset['unit'], (time: string) => string>> = {
  months: time => `addMonths(${unshifted(time)}, {shift: Int64})`,
  days: time => `addDays(${unshifted(time)}, {shift: Int64})`,
  milliseconds: time => `addMilliseconds(${unshifted(time)}, {shift: Int64})`,
}

/** ISO 8601 with the offset, so that an hour that a clock change repeats becomes two. */
const PERIOD = `formatDateTime(period_start, '%Y-%m-%dT%H:%i:%S%z', {zone: String}) AS period`

/** The table and its conditions, and its expressions for the time and for "is in the earlier period". */
const sourceOf = (question: ActivityQuestion, rollup: Rollup | null) => {
  const filters = filterConditions(question.filters, question.places)
  if (rollup !== null) {
    return { ...rollupParts(question, rollup, filters), time: 'at', isBefore: 'is_before', measures: OF_ROLLUPS }
  }
  return {
    where: [within(question.clock, 'begin', 'to'), ...endOfSignals(question), ...filters],
    parameters: {},
    time: EVENT_TIME[question.clock],
    isBefore: `${EVENT_TIME[question.clock]} < {from: DateTime64(3)}`,
    measures: OF_EVENTS,
  }
}

/**
 * Query for a page of a question's answer. Names come from allow-lists, values are bound; `rollup` must come from
 * `chooseRollup`.
 */
const activityQuery = (
  question: ActivityQuestion,
  rollup: Rollup | null,
  page: { readonly limit: number; readonly offset: number },
): ActivityQuery => {
  const { granularity, groupBy, metrics, filters, places, order, before } = question
  const { time, isBefore, measures, parameters, ...source } = sourceOf(question, rollup)
  /** Earlier periods are shifted onto the periods that they are compared with. */
  const counterpart =
    before === null ? time : `if(${isBefore}, ${SHIFTED[before.shift.unit](time)}, ${unshifted(time)})`
  const periods = granularity === null ? [] : [`${PERIODS[granularity](counterpart)} AS period_start`, PERIOD]
  const names = [...(granularity === null ? [] : ['period_start']), ...groupBy.map(field => `by_${field}`)]
  const ordered = order.by === 'period' ? 'period_start' : `metric_${order.by}`
  return {
    ...source,
    select: [
      ...periods,
      ...groupColumns(groupBy, places),
      ...metrics.map(
        metric =>
          `${METRICS[metric](measures, before === null ? [] : [`NOT ${isBefore}`], question)} AS metric_${metric}`,
      ),
      ...(before === null
        ? []
        : metrics.map(metric => `${METRICS[metric](measures, [isBefore], question)} AS before_${metric}`)),
      'count() OVER () AS total',
    ].join(', '),
    groupBy: names,
    // Corrections for events at another time leave empty groups in a rollup.
    ...(rollup === null || names.length === 0 ? {} : { having: 'sum(times) > 0' }),
    orderBy: [`${ordered} ${order.direction.toUpperCase()}`, ...names].join(', '),
    ...page,
    parameters: {
      ...parameters,
      begin: startOf(question),
      from: question.from,
      to: question.to,
      ...(granularity === null ? {} : { zone: question.timeZone }),
      ...(before === null ? {} : { shift: before.shift.by }),
      ...filterParameters(filters, places),
    },
  }
}

/** A row of an answer of `analyze_activity`. */
export interface ActivityItem {
  readonly period: string | null
  readonly group: Readonly<Record<string, string>>
  readonly metrics: Readonly<Record<string, number | null>>
  readonly before?: Readonly<Record<string, number | null>>
}

export interface Figures {
  readonly items: readonly ActivityItem[]
  /** Number of all rows. */
  readonly count: number
  /** Source of the figures; null for single events. */
  readonly rollup: 'hour' | 'day' | null
}

type Row = Readonly<Record<string, string | number | null>> & { readonly total: number }

/** ClickHouse answers NaN, which JSON lacks, or null for a figure of no rows. */
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

/** Answers a page of the figures, from a rollup where possible. */
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
