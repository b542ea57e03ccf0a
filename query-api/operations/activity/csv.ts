import type { ActivityItem } from '../../../model/activity/figures.ts'
import { csvField } from '../../../model/transfers/records/csv-field.ts'

const numberField = (figure: number | null | undefined): string =>
  figure === null || figure === undefined ? '' : String(figure)

interface Columns {
  readonly hasPeriods: boolean
  readonly groups: readonly string[]
  readonly metrics: readonly string[]
  readonly before: readonly string[]
}

const columnsOf = (first: ActivityItem | undefined): Columns => ({
  hasPeriods: typeof first?.period === 'string',
  groups: Object.keys(first?.group ?? {}),
  metrics: Object.keys(first?.metrics ?? {}),
  before: Object.keys(first?.before ?? {}),
})

/** The columns' names, one line. */
export const csvHeader = (first: ActivityItem | undefined): string => {
  const { hasPeriods, groups, metrics, before } = columnsOf(first)
  return `${[...(hasPeriods ? ['period'] : []), ...groups, ...metrics, ...before.map(name => `before_${name}`)].join(',')}\r\n`
}

/** An item as one line, in the header's order: RFC 4180, UTF-8, lines ended by CR LF. */
export const csvLine = (item: ActivityItem): string => {
  const { hasPeriods, groups, metrics, before } = columnsOf(item)
  const fields = [
    ...(hasPeriods ? [item.period ?? ''] : []),
    ...groups.map(name => csvField(item.group[name] ?? '')),
    ...metrics.map(name => numberField(item.metrics[name])),
    ...before.map(name => numberField(item.before?.[name])),
  ]
  return `${fields.join(',')}\r\n`
}
