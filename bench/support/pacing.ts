import { setTimeout as sleep } from 'node:timers/promises'

interface Pace {
  readonly aSecond: number
  readonly seconds: number
  /** How often it is looked how many are due, in milliseconds. */
  readonly tickMs: number
}

/** Has `send` send those that are due, from one number to another, so that they come at a constant rate whatever each takes. */
export const atPace = async (
  { aSecond, seconds, tickMs }: Pace,
  send: (from: number, upTo: number) => Promise<void> | void,
): Promise<void> => {
  const startedAt = Date.now()
  for (let sent = 0; sent < aSecond * seconds; ) {
    const due = Math.min(aSecond * seconds, Math.floor(((Date.now() - startedAt) / 1000) * aSecond))
    if (due > sent) await send(sent, due)
    sent = Math.max(sent, due)
    await sleep(tickMs)
  }
}
