import { setPriority } from 'node:os'

/** Of a thread whose work can wait for everybody else's. */
const BEHIND_OTHERS = 10

/**
 * Has the operating system serve the calling thread after the others, where more want a processor than there are. On Linux a thread has a
 * priority of its own; elsewhere it would be the whole process's, and nothing is changed.
 */
export const giveWayToOtherThreads = (): void => {
  if (process.platform === 'linux') setPriority(0, BEHIND_OTHERS)
}
