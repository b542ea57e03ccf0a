/** The longest delay that a timer of Node takes, in milliseconds: 24.8 days. It fires at once for a longer one. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * A computed delay in milliseconds as a timer can keep it. A clock that was set back by a year makes one of a year, and
 * Node would then fire the timer after 1 ms and warn; what the timer does looks again and waits for the rest.
 */
export const timerMs = (milliseconds: number): number => Math.min(milliseconds, LONGEST_TIMER_MS)

let isBounding = false

/**
 * Has the timers bounded that a library sets in this thread, for one that computes delays by the clock. Such a library
 * looks the function up in the global object each time.
 */
export const boundTimers = (): void => {
  if (isBounding) return
  isBounding = true
  const { setTimeout: set } = globalThis
  const bounded = (work: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
    set(work, timerMs(milliseconds), ...given)
  globalThis.setTimeout = Object.defineProperties(bounded, Object.getOwnPropertyDescriptors(set)) as typeof set
}
