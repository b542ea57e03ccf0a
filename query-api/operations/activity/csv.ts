import { csvField } from '../../../model/transfers/records/csv-field.ts'
import type { Static } from '../define.ts'
import type { Item } from './activity.ts'

const numberField = (figure: number | null | undefined): string =>
  figure === null || figure === undefined ? '' : String(figure)

type Row = Static<typeof Item>

/** Groups with an id or a hash; a second column has their name. */
const NAMED = new Set(['claim', 'theme', 'node', 'actor'])

const named = (row: Row | undefined, name: string): string => {
  const { reference, title } = row?.named?.[name] ?? { reference: null, title: '' }
  return reference === null ? title : `${reference} ${title}`
}

interface Columns {
  readonly hasPeriods: boolean
  readonly groups: readonly string[]
  readonly metrics: readonly string[]
  readonly before: readonly string[]
}

const columnsOf = (first: Row | undefined): Columns => ({
  hasPeriods: typeof first?.period === 'string',
  groups: Object.keys(first?.group ?? {}),
  metrics: Object.keys(first?.metrics ?? {}),
  before: Object.keys(first?.before ?? {}),
})

/** The column names as one line. */
export const csvHeader = (first: Row | undefined): string => {
  const { hasPeriods, groups, metrics, before } = columnsOf(first)
  const ofGroups = groups.flatMap(name => (NAMED.has(name) ? [name, `${name}_name`] : [name]))
  return `${[...(hasPeriods ? ['period'] : []), ...ofGroups, ...metrics, ...before.map(name => `before_${name}`)].join(',')}\r\n`
}

/** An item as one line in the header's order: RFC 4180, UTF-8, lines end with CR LF. */
export const csvLine = (item: Row): string => {
  const { hasPeriods, groups, metrics, before } = columnsOf(item)
  const fields = [
    ...(hasPeriods ? [item.period ?? ''] : []),
    ...groups.flatMap(name => [item.group[name] ?? '', ...(NAMED.has(name) ? [named(item, name)] : [])].map(csvField)),
    ...metrics.map(name => numberField(item.metrics[name])),
    ...before.map(name => numberField(item.before?.[name])),
  ]
  return `${fields.join(',')}\r\n`
}
