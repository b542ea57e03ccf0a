import type { Database } from '../../../infra/postgres/port.ts'
import { type Counted, createWindowCounts, type WindowCounts } from '../../../infra/runtime/window-counts.ts'
import { readIncidentSwitch } from '../../../model/installation/incident-switch.ts'
import { AssayError, type Caller } from '../define.ts'

/** The hard limit during an incident, for keys alone: people in the app must be able to end it. */
export interface IncidentLimit {
  /** Counts a call before it runs. Rejects with `rate_limited` when the key has used up this minute's work units. */
  admit(caller: Caller, units: number): Promise<void>
  /** Adds the units that are known only after the call. */
  add(caller: Caller, units: number): Promise<void>
}

/** An operator's switch must take effect within 5 s. */
const READ_EVERY_MS = 3000
const WINDOW_SECONDS = 60

/**
 * Reads the switch during a call when the last read is 3 s old. While the database is away the switch keeps its state.
 * Each process counts on its own, so that the limit needs nothing of an overloaded database.
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
      // The call itself reports the missing database.
    }
    readAt = now().getTime()
    reading = null
  }
  const upToDate = async (): Promise<void> => {
    const age = now().getTime() - readAt
    // A clock that was set back must not keep an old state for long.
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

/** Throws `rate_limited` when the count exceeds the window's limit. */
export const assertWithin = (most: number, { times, seconds }: Counted): void => {
  if (times > most) throw rateLimited(seconds)
}

export const rateLimited = (seconds: number): AssayError =>
  new AssayError('rate_limited', `Rate limit exceeded. Retry after ${seconds}s.`, { retryAfterSeconds: seconds })
