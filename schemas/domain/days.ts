/** Returns a function that writes the calendar day of a moment in an IANA time zone, such as `2026-07-01`. */
export const daysIn = (timeZone: string): ((at: Date) => string) => {
  if (timeZone === 'UTC') return at => at.toISOString().slice(0, 10)
  // A format is dear to make, and serves a whole page.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  return at => format.format(at)
}
