const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

const digits = (value: number): string => (value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : value.toFixed(0))

/** A time in the unit that fits it, short enough for a column: `0.4 ms`, `12 ms`, `1.3 s`, `4 min 10 s`, `2 h 5 min`, `3 d`. */
export const duration = (milliseconds: number): string => {
  if (milliseconds <= 0) return '0 ms'
  if (milliseconds < 0.1) return '< 0.1 ms'
  if (milliseconds < 999.5) return `${digits(milliseconds)} ms`
  if (milliseconds < MINUTE_MS - 500) return `${digits(milliseconds / SECOND_MS)} s`
  if (milliseconds < HOUR_MS) return inTwo(Math.round(milliseconds / SECOND_MS), ['min', 's'], 60)
  if (milliseconds < DAY_MS) return inTwo(Math.round(milliseconds / MINUTE_MS), ['h', 'min'], 60)
  return inTwo(Math.round(milliseconds / HOUR_MS), ['d', 'h'], 24)
}

const inTwo = (small: number, [one, other]: readonly [string, string], base: number): string =>
  small % base === 0 ? `${small / base} ${one}` : `${Math.floor(small / base)} ${one} ${small % base} ${other}`
