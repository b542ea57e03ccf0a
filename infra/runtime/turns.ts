import { setImmediate as immediate } from 'node:timers/promises'

/** Work on a thread that others live on, too, gives way this often: heartbeats, probes and a request to stop wait no longer. */
const EVERY_MS = 50

let turnedAt = performance.now()
let turning: Promise<void> | null = null

/** One for all who wait: the first that goes on afterwards may use the time up, and the others wait again. */
const turn = async (): Promise<void> => {
  await immediate()
  turnedAt = performance.now()
  turning = null
}

/** Lets the thread's event loop turn when it had no turn for long. Called between two pieces of work that never wait for anything. */
export const giveTurn = async (): Promise<void> => {
  while (performance.now() - turnedAt >= EVERY_MS) {
    turning ??= turn()
    await turning
  }
}
