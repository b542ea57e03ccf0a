import { DAY_MS } from '../../../../schemas/domain/durations.ts'
import { moments, t } from '../../language/messages.ts'

/** The time that a review is to be of: days of a zone, `to` not included. */
interface RequestedPeriod {
  readonly from: string
  /** Absent: until now. */
  readonly to?: string
  readonly title: string
}

export const PERIODS = [
  { value: '7', label: t('Last 7 days') },
  { value: '30', label: t('Last 30 days') },
  { value: '90', label: t('Last 90 days') },
  { value: 'month_so_far', label: t('This month so far') },
  { value: 'quarter_so_far', label: t('This quarter so far') },
  { value: 'last_month', label: t('Last month') },
  { value: 'last_quarter', label: t('Last quarter') },
  { value: 'custom', label: t('Custom range') },
] as const
export type PeriodChoice = (typeof PERIODS)[number]['value']

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
const after = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * DAY_MS))

const written = new Intl.DateTimeFormat(moments, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(moments, { month: 'long', year: 'numeric', timeZone: 'UTC' })

const said = (day: string): string => written.format(new Date(day))

/** The day that it is in a zone. */
export const today = (zone: string, now: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now)

/** The quarter that a day is in: `Q3 2026`. */
const quarterOf = (day: string): string => `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${day.slice(0, 4)}`

const isDay = (day: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))

/** What a choice stands for on a day; null for moments that are none, or in the wrong order. `until` is included. */
export const periodOf = (
  choice: PeriodChoice,
  day: string,
  custom: { readonly from: string; readonly until: string },
): RequestedPeriod | null => {
  const [year = 0, inYear = 1] = day.split('-').map(Number)
  const firstOfMonth = (months: number): string => dayOf(new Date(Date.UTC(year, inYear - 1 + months, 1)))
  const monthsInQuarter = (inYear - 1) % 3
  switch (choice) {
    case 'custom': {
      const { from, until } = custom
      if (!isDay(from) || !isDay(until) || from > until || from > day) return null
      const title = from === until ? said(from) : t('{from} to {until}', { from: said(from), until: said(until) })
      return { from, ...(until < day && { to: after(until, 1) }), title }
    }
    case 'month_so_far':
      return { from: firstOfMonth(0), title: t('{month} so far', { month: month.format(new Date(day)) }) }
    case 'last_month': {
      const from = firstOfMonth(-1)
      return { from, to: firstOfMonth(0), title: month.format(new Date(from)) }
    }
    case 'quarter_so_far': {
      const from = firstOfMonth(-monthsInQuarter)
      return { from, title: t('{month} so far', { month: quarterOf(from) }) }
    }
    case 'last_quarter': {
      const from = firstOfMonth(-monthsInQuarter - 3)
      return { from, to: firstOfMonth(-monthsInQuarter), title: quarterOf(from) }
    }
    default:
      return { from: after(day, -Number(choice)), title: t('{choice} days to {day}', { choice, day: said(day) }) }
  }
}

const isMidnight = (at: Date, zone: string): boolean =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, timeStyle: 'medium', hourCycle: 'h23' }).format(at) === '00:00:00'

const day = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat(moments, { timeZone: zone, dateStyle: 'medium' }).format(at)

const moment = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat(moments, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** A moment as people say it; a whole day at its beginning is that day. */
export const formatMoment = (at: string, zone: string): string => {
  const date = new Date(at)
  const midnightZone = [zone, 'UTC'].find(each => isMidnight(date, each))
  return midnightZone === undefined ? moment(date, zone) : day(date, midnightZone)
}

/**
 * A time as people say it: the last day is one of it, and the hour is told only where it is no whole day of the
 * reader’s zone or of UTC.
 */
export const formatPeriod = (from: string, to: string, zone: string): string => {
  const [begins, ends] = [new Date(from), new Date(to)]
  const midnightZone = [zone, 'UTC'].find(each => isMidnight(begins, each))
  if (midnightZone === undefined)
    return t('{begins} to {ends}', { begins: moment(begins, zone), ends: moment(ends, zone) })
  if (!isMidnight(ends, midnightZone))
    return t('{begins} to {ends}', { begins: day(begins, midnightZone), ends: moment(ends, midnightZone) })
  const last = new Date(ends.getTime() - 1)
  return last.getTime() - begins.getTime() < DAY_MS
    ? day(begins, midnightZone)
    : t('{begins} to {last}', { begins: day(begins, midnightZone), last: day(last, midnightZone) })
}

/** The days of a time, as short as a list wants them: what both ends share is said once, and no hour. */
export const formatDays = (from: string, to: string, zone: string): string => {
  const [begins, ends] = [new Date(from), new Date(to)]
  const timeZone = [zone, 'UTC'].find(each => isMidnight(begins, each)) ?? zone
  const last = isMidnight(ends, timeZone) ? new Date(ends.getTime() - 1) : ends
  return new Intl.DateTimeFormat(moments, { timeZone, dateStyle: 'medium' }).formatRange(begins, last)
}
