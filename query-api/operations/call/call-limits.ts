import type { Database } from '../../../infra/postgres/port.ts'
import { type Counted, createWindowCounts, type WindowCounts } from '../../../infra/runtime/window-counts.ts'
import { readIncidentSwitch } from '../../../model/installation/incident-switch.ts'
import { AssayError, type Caller } from '../define.ts'

/**
 * The hard limit of an incident, for keys alone: people in the app must be able to end it. Without an incident there is
 * none.
 */
export interface IncidentLimit {
  /**
   * Counts a call before it runs; rejects with `rate_limited` when the key has used up its work units of this minute.
   */
  admit(caller: Caller, units: number): Promise<void>
  /** Counts what a call cost beyond that, known once it has run. */
  add(caller: Caller, units: number): Promise<void>
}

/** An operator's switch is to be seen within 5 s. */
const READ_EVERY_MS = 3000
const WINDOW_SECONDS = 60

/**
 * Reads the switch when it was last read 3 s ago or longer, in the way of one call. While the database is away the
 * switch stays as it was. Each program counts by itself, so that the limit needs nothing of a database in distress.
 */
export const createIncidentLimit = (database: Database, now: () => Date): IncidentLimit => {
  let limited: { readonly units: number; readonly counts: WindowCounts } | null = null
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  const read = async (): Promise<void> => {
    try {
      const units = await readIncidentSwitch(database)
      if (units !== (limited?.units ?? null)) {
        limited = units === null ? null : { units, counts: createWindowCounts(WINDOW_SECONDS) }
      }
    } catch {
      // The call itself will say that the database is away.
    }
    readAt = now().getTime()
    reading = null
  }
  const upToDate = async (): Promise<void> => {
    const age = now().getTime() - readAt
    // A clock that was set back must not hold an old state for long.
    if (age >= READ_EVERY_MS || age < 0) {
      reading ??= read()
      await reading
    }
  }

  return {
    admit: async (caller, units) => {
      if (caller.via.kind !== 'key') return
      await upToDate()
      if (limited !== null) assertWithin(limited.units, limited.counts.count(caller.via.keyId, units))
    },
    add: async (caller, units) => {
      if (limited !== null && units > 0 && caller.via.kind === 'key') limited.counts.count(caller.via.keyId, units)
    },
  }
}

/** Throws `rate_limited` where more was counted than may be within a window. */
export const assertWithin = (most: number, { times, seconds }: Counted): void => {
  if (times > most) throw rateLimited(seconds)
}

export const rateLimited = (seconds: number): AssayError =>
  new AssayError('rate_limited', `Rate limit exceeded. Retry after ${seconds}s.`, { retryAfterSeconds: seconds })
