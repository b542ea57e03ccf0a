import { AssayError, asAssayError, logged } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { SourceId } from '../../schemas/domain/ids.ts'
import type { Source, SourceLoader, SourceState } from './source.ts'
import { createUnknownEndpoints } from './unknown-endpoints.ts'

/**
 * How far a poll reaches back behind the one before: a change carries the time its transaction began, so one that commits late can be
 * older than one that was seen before it.
 */
const OVERLAP_MS = 60_000
/** Every so many polls, everything is loaded, in case a transaction took even longer. */
const POLLS_PER_FULL_LOAD = 150

type Found =
  | { readonly kind: 'found'; readonly source: Source }
  | { readonly kind: 'unknown' }
  /** Nothing can be said at the moment: the store is away, and the id was not known before. */
  | { readonly kind: 'unavailable' }

export interface Registry {
  /** At once for a source that is known; an id that is not is looked up. */
  find(id: SourceId): Found | Promise<Found>
  /** True once the sources were loaded. */
  loaded(): boolean
  /** Throws `unavailable` until the sources were loaded. */
  assertLoaded(): void
  size(): number
  /** Loads the sources, and goes on asking for changes until `stop`. Resolves after the first try, whether it worked or not. */
  start(): Promise<void>
  stop(): void
}

/** Knows every source. Keeps what it knows while the store is away. */
export const createRegistry = (loader: SourceLoader, pollMs: number, logger: Pick<Logger, 'warn'>): Registry => {
  const known = new Map<SourceId, { readonly changedAt: number; readonly source: Source }>()
  const deletedAt = new Map<SourceId, number>()
  /** When the last poll that succeeded began, by this process's clock. */
  let readAt: number | null = null
  let polls = 0
  /** Why the store cannot be read at the moment; null while it can. */
  let away: string | null = null
  let stopped = false
  let timer: NodeJS.Timeout | null = null

  /** The newest change of a source that is known. */
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
    if (!stopped) timer = setTimeout(turn, pollMs)
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
