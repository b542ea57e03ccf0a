import type { Admin } from 'kafkajs'
import { AssayError } from '../../runtime/errors.ts'
import type { FetchBuffer } from './fetch-buffer.ts'
import { nameOf } from './group-positions.ts'

interface Watched {
  aliveAt(): number
  feeds(): readonly FetchBuffer[]
}

interface WatchdogOptions {
  readonly session: Watched
  readonly admin: () => Promise<Admin>
  readonly stallMs: number
  readonly onStall: (error: AssayError) => void
}

/**
 * kafkajs is known to stop fetching in silence, as a whole or a single partition. Looks whether it shows signs of life, and whether a
 * partition that is waited for has had records for one whole period.
 */
export const createWatchdog = ({ session, admin, stallMs, onStall }: WatchdogOptions) => {
  let suspects = new Map<string, number>()

  const isBehind = async (feed: FetchBuffer): Promise<boolean> => {
    const awaited = feed.awaited()
    if (awaited === null) return false
    const offsets = await (await admin()).fetchTopicOffsets(feed.topic)
    const high = offsets.find(({ partition }) => partition === feed.partition)?.high ?? '0'
    return Number(high) > awaited && feed.awaited() === awaited
  }

  const look = async (): Promise<void> => {
    if (Date.now() - session.aliveAt() > stallMs) return onStall(stalled('The consumer shows no sign of life'))
    const behind = new Map<string, number>()
    for (const feed of session.feeds()) {
      const awaited = feed.awaited()
      if (awaited === null || !(await isBehind(feed))) continue
      const name = nameOf(feed)
      if (suspects.get(name) === awaited)
        return onStall(stalled(`Partition ${name} is not fetched at offset ${awaited}`))
      behind.set(name, awaited)
    }
    suspects = behind
  }

  // A log that cannot be asked is no stall: the consumer itself will notice.
  const timer = setInterval(() => void look().catch(() => {}), stallMs).unref()
  return { stop: () => clearInterval(timer) }
}

const stalled = (what: string): AssayError => new AssayError('unavailable', `${what}; it is built anew.`)
