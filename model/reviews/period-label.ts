import { daysIn } from '../../schemas/domain/days.ts'
import type { Window } from '../changes/window.ts'

/**
 * The days of a period in its time zone, the last one included: `2026-07-01 to 2026-09-30 (Europe/Berlin)`. UTC is not
 * named.
 */
export const periodLabel = ({ from, to }: Window, timeZone: string): string => {
  const dayOf = daysIn(timeZone)
  const [first, last] = [dayOf(from), dayOf(new Date(to.getTime() - 1))]
  return `${first}${first === last ? '' : ` to ${last}`}${timeZone === 'UTC' ? '' : ` (${timeZone})`}`
}
