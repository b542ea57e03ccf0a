import type { Transaction } from '../../infra/postgres/port.ts'
import type { Outage } from '../../infra/runtime/health.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../schemas/events/topics.ts'

/** States of a consumer group. `paused`: by people; `waiting`: for a dependency; `stuck`: for an unknown reason. */
export const GROUP_STATES = ['working', 'paused', 'waiting', 'stuck'] as const
export type GroupState = (typeof GROUP_STATES)[number]

/** Waiting records of a consumer group. */
interface Waiting {
  readonly state: GroupState
  readonly lag: number
  /** Time at which the log took the oldest of them, milliseconds since the epoch; null without lag. */
  readonly oldest_at: number | null
  /** The dependency that the group waits for; empty without one. */
  readonly reason: string
}

/** Figures of one step in one lane, in the report's window. */
export interface StepFigures {
  readonly step: StepName
  readonly lane: Lane
  readonly signals: number
  readonly retried: number
  readonly dead_lettered: number
  /** The signal's part of the batch's duration, ms. */
  readonly durations: Histogram
  /** Time from a signal's receipt to the end of the step, ms. */
  readonly ages: Histogram
}

interface ReportedModel {
  readonly model: string
  readonly away: Outage | null
}

/** A processor's report on itself, every few seconds. */
export interface ProcessorReport {
  /** Window of `steps`, seconds. */
  readonly window_seconds: number
  readonly embedder: ReportedModel
  /** Null: no judge is configured. */
  readonly judge: ReportedModel | null
  readonly segments: readonly {
    readonly head: StepName
    readonly steps: readonly StepName[]
    readonly lanes: readonly (Waiting & { readonly lane: Lane })[]
  }[]
  /** Delay queues and sinks, by group name. */
  readonly queues: readonly (Waiting & { readonly group: string })[]
  readonly steps: readonly StepFigures[]
}

/** A process without a report for longer has ended, or cannot reach the database. */
const SILENT_AFTER_SECONDS = 15
/** Time for which old reports are kept, so that a silent processor differs from an installation without any. */
const FORGOTTEN_AFTER = `interval '1 day'`

const REPORT = `
  insert into processor_reports (processor_id, report) values ($1, $2)
  on conflict (processor_id) do update set report = excluded.report, reported_at = now()`

const FORGET = `delete from processor_reports where reported_at < now() - ${FORGOTTEN_AFTER}`

const LEAVE = 'delete from processor_reports where processor_id = $1'

const READ = `
  select report, reported_at, reported_at >= now() - interval '${SILENT_AFTER_SECONDS} seconds' as fresh
  from processor_reports order by reported_at desc`

export const reportProcessor = async (transaction: Transaction, id: string, report: ProcessorReport): Promise<void> => {
  await transaction.query(REPORT, [id, JSON.stringify(report)])
  await transaction.query(FORGET)
}

/** Deletes the report of a process that stops. */
export const withdrawReport = async (transaction: Transaction, id: string): Promise<void> => {
  await transaction.query(LEAVE, [id])
}

export interface ReadReports {
  /** Reports of running processes. */
  readonly reports: readonly ProcessorReport[]
  /** Time of the last report of any process; null without one within a day. */
  readonly last_at: Date | null
}

export const readReports = async (transaction: Transaction): Promise<ReadReports> => {
  const rows = await transaction.query<{ report: ProcessorReport; reported_at: Date; fresh: boolean }>(READ)
  return {
    reports: rows.filter(({ fresh }) => fresh).map(({ report }) => report),
    last_at: rows[0]?.reported_at ?? null,
  }
}

/**
 * Durations counted in buckets that grow by an eighth, so that histograms of several processes can be added and
 * quantiles are right to within 7 %. Sparse: from the exponent of the upper bound, as text, to the count.
 */
export type Histogram = Readonly<Record<string, number>>

const GROWTH = Math.log(1.125)
/** Shorter durations count as this. */
const SHORTEST_MS = 0.01

const bucketOf = (milliseconds: number): string =>
  String(Math.ceil(Math.log(Math.max(milliseconds, SHORTEST_MS)) / GROWTH))

/** Adds a duration to `histogram`, `times` over. */
export const observe = (histogram: Record<string, number>, milliseconds: number, times = 1): void => {
  const bucket = bucketOf(milliseconds)
  histogram[bucket] = (histogram[bucket] ?? 0) + times
}

export const added = (histograms: readonly Histogram[]): Histogram => {
  const sum: Record<string, number> = {}
  for (const histogram of histograms)
    for (const [bucket, count] of Object.entries(histogram)) sum[bucket] = (sum[bucket] ?? 0) + count
  return sum
}

/** The duration in ms that a part `of` all (0 to 1) does not exceed; null for an empty histogram. */
export const quantile = (histogram: Histogram, of: number): number | null => {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((one, other) => one.bucket - other.bucket)
  const wanted = of * buckets.reduce((sum, { count }) => sum + count, 0)
  let below = 0
  for (const { bucket, count } of buckets) {
    below += count
    // Geometric middle of the bucket.
    if (below >= wanted) return Math.exp((bucket - 0.5) * GROWTH)
  }
  return null
}
