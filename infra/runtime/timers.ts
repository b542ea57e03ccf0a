/** The longest delay of a Node timer, ms: 24.8 days. For a longer delay Node fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Bounds a computed delay to what a timer can keep, ms. After a clock was set back a year, a delay can be a year long,
 * and Node would fire the timer after 1 ms with a warning. The timer's work must check the time and wait again.
 */
export const timerMs = (milliseconds: number): number => Math.min(milliseconds, LONGEST_TIMER_MS)

let isBounding = false

/**
 * Bounds the timers of a library in this thread that computes delays from the clock. Works for a library that reads
 * `setTimeout` from the global object at each call.
 */
export const boundTimers = (): void => {
  if (isBounding) return
  isBounding = true
  const { setTimeout: set } = globalThis
  const bounded = (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
    set(work, timerMs(milliseconds), ...given)
  globalThis.setTimeout = Object.defineProperties(bounded, Object.getOwnPropertyDescriptors(set)) as typeof set
}
