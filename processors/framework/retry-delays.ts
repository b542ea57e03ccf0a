/** A delay queue: its name is the last part of its topic, such as `retry.10s`. */
export interface RetryDelay {
  readonly name: string
  readonly ms: number
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const
const DELAY = /^([1-9]\d{0,5})(ms|s|m|h)$/

/**
 * Reads delays such as `10s,1m,10m`: the first failure waits for the first, the second for the second. After the last one fails too,
 * the signal is a dead letter. Undefined when one cannot be read.
 */
export const parseRetryDelays = (text: string): readonly RetryDelay[] | undefined => {
  const delays: RetryDelay[] = []
  for (const name of text.split(',').map(part => part.trim())) {
    const [, count, unit] = DELAY.exec(name) ?? []
    if (count === undefined || unit === undefined) return undefined
    // The expression admits no other unit.
    delays.push({ name, ms: Number(count) * UNITS[unit as keyof typeof UNITS] })
  }
  return delays
}
