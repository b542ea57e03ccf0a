import { AssayError, asAssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { makeRoom } from '../../infra/runtime/make-room.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'
import type { Source, SourceLoader, SourceState } from './source.ts'

/** Limit of waiting ids: a flood of invented ids must not pile up. */
const MAX_WAITING = 1_000
/** Pause between two queries, ms. */
const PAUSE_MS = 25
/** How long an unknown id is remembered, ms, and how many. */
const UNKNOWN_MS = 1_000
const MAX_UNKNOWN = 10_000

type Lookup = 'known' | 'unknown' | 'unavailable'

/**
 * Looks up ids that the registry does not know. One query at a time serves all waiting ids, so that neither many
 * requests for a new endpoint nor a flood of invented ids cost more than one query in 25 ms.
 */
const createUnknownEndpoints = (
  loader: Pick<SourceLoader, 'find'>,
  learn: (states: readonly SourceState[]) => void,
) => {
  let waiting = new Map<SourceId, PromiseWithResolvers<Lookup>>()
  let inFlight = new Map<SourceId, PromiseWithResolvers<Lookup>>()
  let timer: NodeJS.Timeout | null = null
  const unknownSince = new Map<SourceId, number>()

  const query = async () => {
    inFlight = waiting
    waiting = new Map()
    try {
      const states = await loader.find([...inFlight.keys()])
      learn(states)
      const existing = new Set(states.filter(state => state.source !== null).map(state => state.id))
      for (const [id, { resolve }] of inFlight) {
        if (!existing.has(id)) remember(id)
        resolve(existing.has(id) ? 'known' : 'unknown')
      }
    } catch {
      // The poll reports that the database is away; here it only means that the ids cannot be looked up.
      for (const { resolve } of inFlight.values()) resolve('unavailable')
    }
    inFlight = new Map()
    timer = setTimeout(next, PAUSE_MS)
  }

  const next = () => {
    timer = null
    if (waiting.size > 0) void query()
  }

  const remember = (id: SourceId) => {
    makeRoom(unknownSince, MAX_UNKNOWN)
    unknownSince.set(id, performance.now())
  }

  return {
    find: (id: SourceId): Promise<Lookup> => {
      const since = unknownSince.get(id)
      if (since !== undefined && performance.now() - since < UNKNOWN_MS) return Promise.resolve('unknown')
      unknownSince.delete(id)
      const underWay = inFlight.get(id) ?? waiting.get(id)
      if (underWay) return underWay.promise
      if (waiting.size >= MAX_WAITING) return Promise.resolve('unavailable')
      const wait = Promise.withResolvers<Lookup>()
      waiting.set(id, wait)
      if (timer === null && inFlight.size === 0) void query()
      return wait.promise
    },
    stop: () => {
      if (timer) clearTimeout(timer)
      timer = null
      for (const { resolve } of waiting.values()) resolve('unavailable')
      waiting.clear()
    },
  }
}

/**
 * Overlap of polls, ms. A change carries the time when its transaction began: a transaction that commits late can be
 * older than changes that were read before.
 */
const OVERLAP_MS = 60_000
/** Everything is loaded anew after this many polls, in case a transaction took longer than the overlap. */
const POLLS_PER_FULL_LOAD = 150

export type Found =
  | { readonly kind: 'found'; readonly source: Source }
  | { readonly kind: 'unknown' }
  /** The database is away, and the id is not known from before. */
  | { readonly kind: 'unavailable' }

export interface Registry {
  /** Synchronous for a known source; an unknown id is looked up. */
  find(id: SourceId): Found | Promise<Found>
  /** True once the sources were loaded. */
  loaded(): boolean
  /** Throws `unavailable` until the sources were loaded. */
  assertLoaded(): void
  size(): number
  /** Loads the sources, and polls for changes until `stop`. Resolves after the first attempt, even if it failed. */
  start(): Promise<void>
  stop(): void
}

/** Knows every source, and keeps what it knows while the database is away. */
export const createRegistry = (loader: SourceLoader, pollMs: number, logger: Pick<Logger, 'warn'>): Registry => {
  const known = new Map<SourceId, { readonly changedAt: number; readonly source: Source }>()
  const deletedAt = new Map<SourceId, number>()
  /** When the last successful poll began, by the process' monotonic clock. */
  let readAt: number | null = null
  let polls = 0
  /** Why the database cannot be read; null while it can. */
  let away: string | null = null
  let stopped = false
  let timer: NodeJS.Timeout | null = null

  /** The newest known change of a source. */
  const changeOf = (id: SourceId): number => known.get(id)?.changedAt ?? deletedAt.get(id) ?? Number.NEGATIVE_INFINITY

  const learn = (states: readonly SourceState[]) => {
    for (const { id, changedAt, source } of states) {
      if (changeOf(id) > changedAt) continue
      if (source === null) {
        known.delete(id)
        deletedAt.set(id, changedAt)
      } else known.set(id, { changedAt, source })
    }
  }
  const misses = createUnknownEndpoints(loader, learn)

  const poll = async () => {
    const beganAt = performance.now()
    if (readAt === null || polls % POLLS_PER_FULL_LOAD === 0) {
      const states = await loader.all()
      forgetAllBut(states)
      learn(states)
    } else {
      const isNews = (id: SourceId, changedAt: number) => changeOf(id) < changedAt
      learn(await loader.changedWithin(beganAt - readAt + OVERLAP_MS, isNews))
    }
    polls++
    readAt = beganAt
  }

  const forgetAllBut = (states: readonly SourceState[]) => {
    const existing = new Set(states.map(state => state.id))
    for (const id of known.keys()) if (!existing.has(id)) known.delete(id)
    deletedAt.clear()
  }

  const turn = async () => {
    try {
      await poll()
      if (away !== null) logger.warn('the registry of sources is up to date again')
      away = null
    } catch (error) {
      const reason = asAssayError(error).publicMessage
      if (away !== reason)
        logger.warn(logged(error), 'the registry of sources cannot be read; the edge goes on with the sources it knows')
      away = reason
    }
    if (!stopped) timer = setTimeout(turn, timerMs(pollMs))
  }

  const lookUp = async (id: SourceId): Promise<Found> => {
    const answer = await misses.find(id)
    if (answer !== 'known') return { kind: answer }
    const source = known.get(id)?.source
    return source ? { kind: 'found', source } : { kind: 'unknown' }
  }

  return {
    find: id => {
      const source = known.get(id)?.source
      return source ? { kind: 'found', source } : lookUp(id)
    },
    loaded: () => readAt !== null,
    assertLoaded: () => {
      if (readAt === null) throw new AssayError('unavailable', `The sources were not loaded yet. ${away ?? ''}`.trim())
    },
    size: () => known.size,
    start: turn,
    stop: () => {
      stopped = true
      if (timer) clearTimeout(timer)
      misses.stop()
    },
  }
}
