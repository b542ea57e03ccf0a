const HOUR_OF_A_DAY = 12

/** The day that it is where the person is, as a date field has it. */
export const today = (now = new Date()): string =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, '0')).join('-')

/** A moment that lies on the day wherever it is read: noon, where the person is. Of this day, not one that is still to come. */
export const momentOf = (day: string, now: Date): Date => {
  const noon = new Date(`${day}T${HOUR_OF_A_DAY}:00`)
  return noon > now ? now : noon
}
