import { language } from '../../language/messages.ts'
import { percent } from '../../parts/formats.ts'

const plain = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
const SHARES = /_rate$|^of_/

const duration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${plain.format(milliseconds)} ms`
  if (milliseconds < 120_000) return `${plain.format(milliseconds / 1000)} s`
  if (milliseconds < 7_200_000) return `${plain.format(milliseconds / 60_000)} min`
  return `${plain.format(milliseconds / 3_600_000)} h`
}

/** Of chances, many are so small that two places of a percentage say nothing. */
const chanceOf = (value: number): string => (value > 0 && value < 0.0001 ? '< 0.01 %' : percent(value, 2))

/** A figure as people read it, in the unit of its metric; a dash where there was nothing to measure. */
export const figureOf = (metric: string, value: number | null | undefined): string => {
  if (value === null || value === undefined) return '–'
  if (metric.endsWith('_ms')) return duration(value)
  if (SHARES.test(metric)) return percent(value, 1)
  return metric === 'chance' ? chanceOf(value) : plain.format(value)
}

/** The same in little room. */
export const shortFigureOf = (metric: string, value: number): string =>
  metric.endsWith('_ms') || SHARES.test(metric) ? figureOf(metric, value) : compact.format(value)

/** How much more or less than before, as a signed percentage; null where there is nothing to compare. */
export const changeOf = (value: number | null | undefined, before: number | null | undefined): string | null => {
  if (typeof value !== 'number' || typeof before !== 'number' || before === 0) return null
  const change = value / before - 1
  return `${change > 0 ? '+' : ''}${percent(change, 1)}`
}
