import type { Embedder, Judge } from '../../infra/models/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { createReachability } from '../../infra/runtime/health.ts'
import { type ProcessorReport, reportProcessor, withdrawReport } from '../../model/pipeline/processor-report.ts'
import { newId, type ProcessorId } from '../../schemas/domain/ids.ts'
import type { GroupHealth } from '../framework/health.ts'
import type { Observer } from '../framework/observer.ts'
import type { Segment } from '../framework/pipeline.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import { LANES, segmentGroup } from '../framework/topics.ts'
import { type Figures, WINDOW_SECONDS } from './figures.ts'

interface Models {
  readonly embedder: Embedder
  /** Null: none is configured. */
  readonly judge: Judge | null
}

interface WatchedModels extends Models {
  /** Which models there are, and whether the last call of each was answered. */
  read(): Pick<ProcessorReport, 'embedder' | 'judge'>
}

/** The same models, of which it is known whether they answer. */
export const watchModels = ({ embedder, judge }: Models, now: () => number): WatchedModels => {
  const embeds = createReachability(now)
  const judges = createReachability(now)
  return {
    embedder: { ...embedder, embed: texts => embeds.through(() => embedder.embed(texts)) },
    judge: judge && { ...judge, judge: (...texts) => judges.through(() => judge.judge(...texts)) },
    read: () => ({
      embedder: { model: embedder.model, away: embeds.away() },
      judge: judge && { model: judge.model, away: judges.away() },
    }),
  }
}

const EVERY_MS = 3000

interface ReportOptions {
  readonly database: Database
  readonly health: () => Promise<readonly GroupHealth[]>
  readonly figures: Figures
  /** Those that this process serves. */
  readonly segments: readonly Segment[]
  readonly models: WatchedModels
  readonly observer: Observer
  /** How often to report, in milliseconds. */
  readonly intervalMs?: number
}

/**
 * Tells, every three seconds, what this process serves, what it did in the last minute and what waits for it. Takes it
 * back when it is stopped.
 */
export const startReporting = (options: ReportOptions): Polling => {
  const { database, health, observer, intervalMs = EVERY_MS } = options
  const id = newId<ProcessorId>()
  const write = (work: (transaction: Transaction) => Promise<void>) =>
    database.transaction({ role: 'assay_accounts' }, work)
  const work = async () => {
    const report = reportOf(options, await health())
    await write(transaction => reportProcessor(transaction, id, report))
    return false
  }
  const polling = startPolling({ what: 'The report of the processors', work, intervalMs, observer })
  return {
    stop: async () => {
      await polling.stop()
      // Without the database nobody reads the report either, and it is forgotten by its age.
      await write(transaction => withdrawReport(transaction, id)).catch(() => {})
    },
  }
}

const reportOf = ({ figures, segments, models }: ReportOptions, groups: readonly GroupHealth[]): ProcessorReport => {
  const ofLanes = new Map(
    segments.flatMap(({ head }) => LANES.map(lane => [segmentGroup(head, lane), { head, lane }] as const)),
  )
  const waiting = groups.map(({ group, state, lag, oldestUncommittedAt: oldest_at, reason }) => ({
    group,
    state,
    lag,
    oldest_at,
    reason,
  }))
  return {
    window_seconds: WINDOW_SECONDS,
    ...models.read(),
    segments: segments.map(({ head, steps }) => ({
      head,
      steps: steps.map(({ name }) => name),
      lanes: waiting.flatMap(({ group, ...found }) => {
        const place = ofLanes.get(group)
        return place?.head === head ? [{ lane: place.lane, ...found }] : []
      }),
    })),
    queues: waiting.filter(({ group }) => !ofLanes.has(group)),
    steps: figures.read(),
  }
}
