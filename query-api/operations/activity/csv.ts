import type { ActivityItem } from '../../../model/activity/figures.ts'

/**
 * Where a spreadsheet may take what follows for a formula: at the beginning of a cell, behind white space that it
 * skips. A program whose delimiter is `;`, `|` or tab sees such a beginning in the middle of a field, quoted or not.
 * The signs have full-width forms too (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const FORMULA = /^[\s'"]*[=+\-@＝＋－＠]/u
const LATER_FORMULA = /(?<=[;|\t\r\n])(?=[\s'"]*[=+\-@＝＋－＠])/gu
const LEADING_SPACE = /^[\t\r\n]/

/** A text from anywhere as a field of RFC 4180. An apostrophe makes text of what would be a formula. */
export const textField = (text: string): string => {
  const inert = text.replace(LATER_FORMULA, "'")
  const harmless = FORMULA.test(inert) || LEADING_SPACE.test(inert) ? `'${inert}` : inert
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

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
    ...groups.map(name => textField(item.group[name] ?? '')),
    ...metrics.map(name => numberField(item.metrics[name])),
    ...before.map(name => numberField(item.before?.[name])),
  ]
  return `${fields.join(',')}\r\n`
}
