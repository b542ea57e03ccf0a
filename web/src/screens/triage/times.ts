import { t } from '../../language/messages.ts'

const MORNING = 9

/** The morning of the day so many days on, by the clock of whoever looks. */
const morningIn = (now: Date, days: number): Date => {
  const at = new Date(now)
  at.setDate(at.getDate() + days)
  at.setHours(MORNING, 0, 0, 0)
  return at
}

const MONDAY = 1
const daysToMonday = (now: Date): number => (MONDAY + 7 - now.getDay()) % 7 || 7

export interface SnoozeTime {
  readonly label: string
  readonly at: Date
}

/** Times to snooze until: the next mornings that people mean, each once. */
export const snoozeTimes = (now: Date): readonly SnoozeTime[] => {
  const times = [
    { label: t('Tomorrow'), at: morningIn(now, 1) },
    { label: t('Next Monday'), at: morningIn(now, daysToMonday(now)) },
    { label: t('In two weeks'), at: morningIn(now, 14) },
    { label: t('In a month'), at: morningIn(now, 30) },
  ]
  return times.filter(({ at }, place) => times.findIndex(other => other.at.getTime() === at.getTime()) === place)
}

const two = (part: number): string => String(part).padStart(2, '0')

/** The day of whoever looks, as a date field has it. */
export const dayOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** As `datetime-local` has it. */
export const localTime = (at: Date): string => `${dayOf(at)}T${two(at.getHours())}:${two(at.getMinutes())}`

/**
 * The moment of what happened on a day: now where it is today, and else noon, which lies on the day wherever it is
 * read.
 */
export const momentOf = (day: string, now: Date): Date => (day === dayOf(now) ? now : new Date(`${day}T12:00`))
