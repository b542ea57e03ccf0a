import type { Embedder, Judge } from '../../infra/models/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { createReachability } from '../../infra/runtime/health.ts'
import {
  added,
  type Histogram,
  observe,
  type ProcessorReport,
  reportProcessor,
  type StepFigures,
  withdrawReport,
} from '../../model/pipeline/processor-report.ts'
import { newId, type ProcessorId } from '../../schemas/domain/ids.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../schemas/events/topics.ts'
import type { GroupHealth } from '../framework/health.ts'
import type { Segment } from '../framework/pipeline.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'
import { LANES, segmentGroup } from '../framework/topics.ts'

const WINDOW_SECONDS = 60
const SLICE_MS = 5000
const SLICES = (WINDOW_SECONDS * 1000) / SLICE_MS

interface Counted {
  readonly step: StepName
  readonly lane: Lane
  signals: number
  retried: number
  dead_lettered: number
  readonly durations: Record<string, number>
  readonly ages: Record<string, number>
}

/** Figures of one slice, by step and lane. */
type Slice = Map<string, Counted>

interface Figures {
  /** Collects the figures. */
  readonly observer: Pick<Observer, 'stepRan' | 'outcome' | 'retry' | 'deadLetter'>
  /** Figures of the last minute, for each step and lane that worked. */
  read(): readonly StepFigures[]
}

/** Counts the work of the last minute in slices of five seconds, and drops slices that are older. */
export const createFigures = (now: () => number): Figures => {
  const slices = new Map<number, Slice>()

  const recent = (): readonly Slice[] => {
    const oldest = Math.floor(now() / SLICE_MS) - SLICES
    for (const at of slices.keys()) if (at <= oldest) slices.delete(at)
    return [...slices.values()]
  }

  const count = (step: StepName, lane: Lane): Counted => {
    const at = Math.floor(now() / SLICE_MS)
    if (!slices.has(at)) recent()
    const slice: Slice = slices.get(at) ?? new Map()
    slices.set(at, slice)
    const name = `${step} ${lane}`
    const counted = slice.get(name) ?? { step, lane, signals: 0, retried: 0, dead_lettered: 0, durations: {}, ages: {} }
    slice.set(name, counted)
    return counted
  }

  return {
    observer: {
      stepRan: (step, lane, milliseconds, records) => {
        const counted = count(step, lane)
        counted.signals += records
        observe(counted.durations, milliseconds / records, records)
      },
      outcome: (step, lane, _kind, ageMs) => observe(count(step, lane).ages, ageMs),
      retry: (step, lane) => {
        count(step, lane).retried += 1
      },
      deadLetter: (step, lane) => {
        count(step, lane).dead_lettered += 1
      },
    },
    read: () => {
      const counted = recent().flatMap(slice => [...slice.values()])
      return Map.groupBy(counted, ({ step, lane }) => `${step} ${lane}`)
        .values()
        .map(together)
        .toArray()
    },
  }
}

const together = (all: readonly Counted[]): StepFigures => {
  const [first] = all
  if (first === undefined) throw new TypeError('A group has a first one.')
  const sum = (of: (counted: Counted) => number) => all.reduce((total, counted) => total + of(counted), 0)
  const merged = (of: (counted: Counted) => Histogram) => added(all.map(of))
  return {
    step: first.step,
    lane: first.lane,
    signals: sum(({ signals }) => signals),
    retried: sum(({ retried }) => retried),
    dead_lettered: sum(({ dead_lettered }) => dead_lettered),
    durations: merged(({ durations }) => durations),
    ages: merged(({ ages }) => ages),
  }
}

const both =
  <Event extends readonly unknown[]>(one: (...event: Event) => void, other: (...event: Event) => void) =>
  (...event: Event): void => {
    one(...event)
    other(...event)
  }

/** Passes every event to `metrics`, and to the figures the events that they count. */
export const observeBoth = (metrics: Observer, { observer }: Figures): Observer => ({
  ...metrics,
  stepRan: both(metrics.stepRan, observer.stepRan),
  outcome: both(metrics.outcome, observer.outcome),
  retry: both(metrics.retry, observer.retry),
  deadLetter: both(metrics.deadLetter, observer.deadLetter),
})

interface Models {
  readonly embedder: Embedder
  /** Null: no judge is configured. */
  readonly judge: Judge | null
}

interface WatchedModels extends Models {
  /** Models in use, and whether the last call of each was answered. */
  read(): Pick<ProcessorReport, 'embedder' | 'judge'>
}

/** Wraps the models so that `read` knows whether they answer. */
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
  /** Segments of this process. */
  readonly segments: readonly Segment[]
  readonly models: WatchedModels
  readonly observer: Observer
  /** Report interval, ms. */
  readonly intervalMs?: number
}

/**
 * Stores a report of this process every three seconds: its segments, its figures of the last minute and its waiting
 * groups. Deletes the report when the process stops.
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
      // Without the database nobody reads the report, and readers drop an old report by its age.
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
