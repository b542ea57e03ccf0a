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

/**
 * Half of the database's connections: a page of the app asks for some things at once, and nobody has to wait for a
 * tenant that asks for all.
 */
const AT_ONCE = 3
/** More than any page or agent asks for at once. */
const MAX_WAITING = 200

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Lets each tenant have a few calls under way; its others wait behind those in the order they came. However many and
 * however dear a tenant's calls are, another's find the stores with room.
 */
export const createFairQueue = <Key extends string>(atOnce = AT_ONCE, mostWaiting = MAX_WAITING) => {
  const lines = new Map<Key, Line>()

  const leave = (tenant: Key, line: Line): void => {
    const next = line.waiting.shift()
    // Whoever is next takes the place over.
    if (next !== undefined) next()
    else line.running -= 1
    if (line.running === 0) lines.delete(tenant)
  }

  /**
   * Runs the work when it is the tenant's turn. Rejects with `rate_limited` when too many calls of the tenant wait
   * already.
   */
  return async <T>(tenant: Key, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(tenant) ?? { running: 0, waiting: [] }
    lines.set(tenant, line)
    if (line.running < atOnce) line.running += 1
    else if (line.waiting.length < mostWaiting) await new Promise<void>(resolve => line.waiting.push(resolve))
    else throw tooMany(mostWaiting)
    try {
      return await work()
    } finally {
      leave(tenant, line)
    }
  }
}

const tooMany = (waiting: number): AssayError =>
  new AssayError(
    'rate_limited',
    `${waiting} calls of this tenant wait for their turn already. Wait for their answers.`,
    {
      retryAfterSeconds: 1,
    },
  )
