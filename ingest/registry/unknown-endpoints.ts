import type { SourceId } from '../../schemas/domain/ids.ts'
import type { SourceLoader, SourceState } from './source.ts'

/** Ids that wait for a query at most; a flood of invented ids must not pile up. */
const MAX_WAITING = 1_000
/** The pause between two queries. */
const PAUSE_MS = 25
/** How long an id that does not exist is remembered as such, and how many are. */
const UNKNOWN_MS = 1_000
const MAX_UNKNOWN = 10_000

export type Lookup = 'known' | 'unknown' | 'unavailable'

/**
 * Looks up ids that the registry does not have. One query at a time serves every id that waits, so that neither many requests for
 * one new endpoint nor a flood of invented ids costs more than a query each 25 ms.
 */
export const createUnknownEndpoints = (
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
      // The poll reports that the store is away; here it only means that nothing can be said about these ids.
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
    const [oldest] = unknownSince.keys()
    if (unknownSince.size >= MAX_UNKNOWN && oldest !== undefined) unknownSince.delete(oldest)
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
