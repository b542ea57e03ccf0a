import type { Database } from '../../infra/postgres/port.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { timerMs } from '../../infra/runtime/timers.ts'
import { changedTopics, type Revision, readRevisions } from '../../model/workspaces/revision.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { LiveTopic } from '../../schemas/domain/vocabulary.ts'

export interface Watcher {
  /** Called when the revision is known: no later change is missed. */
  readonly begun: () => unknown
  readonly changed: (topics: readonly LiveTopic[]) => unknown
}

interface Watched {
  readonly watchers: Set<Watcher>
  /** Null until the first read since the workspace is watched. */
  revision: Revision | null
}

interface WatchPorts {
  readonly database: Database
  readonly now: () => Date
  readonly log: Pick<Logger, 'warn'>
  /** Time between an answer and the next query, ms. */
  readonly intervalMs: number
}

/**
 * Tells the watchers of a workspace which topics changed. One statement reads all watched workspaces of this process
 * and sees every writer: another replica, the pipeline, or a job. Without watchers there are no queries.
 */
export const createWatch = ({ database, now, log, intervalMs }: WatchPorts) => {
  const watched = new Map<WorkspaceId, Watched>()
  let timer: NodeJS.Timeout | null = null
  let looking = false
  let away = false

  const look = async () => {
    timer = null
    looking = true
    try {
      const revisions = await readRevisions(database, [...watched.keys()], now())
      away = false
      for (const [id, revision] of revisions) notify(watched.get(id), revision)
    } catch (error) {
      // Logged once. Watchers hear of the changes when the database is back, because the kept revision is the old one.
      if (!away) log.warn({ err: error }, 'What has changed cannot be read; watching goes on.')
      away = true
    } finally {
      looking = false
      schedule()
    }
  }

  const notify = (of: Watched | undefined, revision: Revision) => {
    if (of === undefined) return
    const before = of.revision
    of.revision = revision
    if (before === null) for (const each of of.watchers) each.begun()
    const topics = before === null ? [] : changedTopics(before, revision)
    if (topics.length > 0) for (const each of of.watchers) each.changed(topics)
  }

  const schedule = () => {
    if (looking || watched.size === 0) return
    // A new watcher waits for the first revision.
    const isAwaited = !away && [...watched.values()].some(({ revision }) => revision === null)
    if (timer !== null && !isAwaited) return
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => void look(), timerMs(isAwaited ? 0 : intervalMs))
    timer.unref()
  }

  return {
    /** Tells the watcher which topics changed, until the answered function is called. */
    watch: (workspaceId: WorkspaceId, watcher: Watcher): (() => void) => {
      const of: Watched = watched.get(workspaceId) ?? { watchers: new Set(), revision: null }
      watched.set(workspaceId, of)
      of.watchers.add(watcher)
      if (of.revision !== null) watcher.begun()
      schedule()
      return () => {
        of.watchers.delete(watcher)
        if (of.watchers.size > 0 || watched.get(workspaceId) !== of) return
        watched.delete(workspaceId)
        if (watched.size > 0 || timer === null) return
        clearTimeout(timer)
        timer = null
      }
    },
    /** Number of watched workspaces. */
    size: (): number => watched.size,
  }
}

export type Watch = ReturnType<typeof createWatch>
