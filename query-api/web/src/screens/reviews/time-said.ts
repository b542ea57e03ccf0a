const isMidnight = (at: Date, zone: string): boolean =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeStyle: 'medium', hourCycle: 'h23' }).format(at) === '00:00:00'

const day = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'medium' }).format(at)

const moment = (at: Date, zone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** A moment as people say it; a whole day at its beginning is that day. */
export const momentSaid = (at: string, zone: string): string => {
  const date = new Date(at)
  const whole = [zone, 'UTC'].find(each => isMidnight(date, each))
  return whole === undefined ? moment(date, zone) : day(date, whole)
}

/**
 * A time as people say it: the last day is one of it, and the hour is told only where it is no whole day of the reader’s zone or of
 * UTC.
 */
export const timeSaid = (from: string, to: string, zone: string): string => {
  const [begins, ends] = [new Date(from), new Date(to)]
  const whole = [zone, 'UTC'].find(each => isMidnight(begins, each))
  if (whole === undefined) return `${moment(begins, zone)} to ${moment(ends, zone)}`
  if (!isMidnight(ends, whole)) return `${day(begins, whole)} to ${moment(ends, whole)}`
  const last = new Date(ends.getTime() - 1)
  return last.getTime() - begins.getTime() < 86_400_000
    ? day(begins, whole)
    : `${day(begins, whole)} to ${day(last, whole)}`
}
