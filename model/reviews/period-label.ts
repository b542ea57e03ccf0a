import type { Window } from '../changes/window.ts'

/** The calendar day of a moment in an IANA time zone, such as `2026-07-01`. */
const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)

/**
 * The days of a period as people of its time zone count them, the last one included: `2026-07-01 to 2026-09-30
 * (Europe/Berlin)`. The zone is named unless it is UTC.
 */
export const periodLabel = ({ from, to }: Window, timeZone: string): string => {
  const [first, last] = [dayIn(timeZone, from), dayIn(timeZone, new Date(to.getTime() - 1))]
  return `${first}${first === last ? '' : ` to ${last}`}${timeZone === 'UTC' ? '' : ` (${timeZone})`}`
}
