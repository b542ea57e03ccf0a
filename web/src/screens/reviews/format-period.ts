import { dates, language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'

const isMidnight = (at: Date, zone: string): boolean =>
  new Intl.DateTimeFormat(language, { timeZone: zone, timeStyle: 'medium', hourCycle: 'h23' }).format(at) === '00:00:00'

const day = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat(dates, { timeZone: zone, dateStyle: 'medium' }).format(at)

const moment = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat(dates, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** A moment as people say it; a whole day at its beginning is that day. */
export const formatMoment = (at: string, zone: string): string => {
  const date = new Date(at)
  const midnightZone = [zone, 'UTC'].find(each => isMidnight(date, each))
  return midnightZone === undefined ? moment(date, zone) : day(date, midnightZone)
}

/**
 * A time as people say it: the last day is one of it, and the hour is told only where it is no whole day of the reader’s zone or of
 * UTC.
 */
export const formatPeriod = (from: string, to: string, zone: string): string => {
  const [begins, ends] = [new Date(from), new Date(to)]
  const midnightZone = [zone, 'UTC'].find(each => isMidnight(begins, each))
  if (midnightZone === undefined)
    return t('{begins} to {ends}', { begins: moment(begins, zone), ends: moment(ends, zone) })
  if (!isMidnight(ends, midnightZone))
    return t('{begins} to {ends}', { begins: day(begins, midnightZone), ends: moment(ends, midnightZone) })
  const last = new Date(ends.getTime() - 1)
  return last.getTime() - begins.getTime() < 86_400_000
    ? day(begins, midnightZone)
    : t('{begins} to {last}', { begins: day(begins, midnightZone), last: day(last, midnightZone) })
}
