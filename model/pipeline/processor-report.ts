import type { Transaction } from '../../infra/postgres/port.ts'
import type { Outage } from '../../infra/runtime/health.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../schemas/events/topics.ts'

/**
 * What a consumer group does. `paused`: people hold it still; `waiting`: for a dependency; `stuck`: nobody knows why.
 */
export const GROUP_STATES = ['working', 'paused', 'waiting', 'stuck'] as const
export type GroupState = (typeof GROUP_STATES)[number]

/** Records that wait for one consumer group. */
interface Waiting {
  readonly state: GroupState
  readonly lag: number
  /** When the oldest of them was taken by the log, milliseconds since the epoch; null without lag. */
  readonly oldest_at: number | null
  /** What it waits for; empty unless it waits. */
  readonly reason: string
}

/** What one step did in one lane, in the time that the report looks back on. */
export interface StepFigures {
  readonly step: StepName
  readonly lane: Lane
  readonly signals: number
  readonly retried: number
  readonly dead_lettered: number
  /** A signal’s share of the time that the step took for its batch, milliseconds. */
  readonly durations: Histogram
  /** Time from a signal’s receipt to the end of the step, milliseconds. */
  readonly ages: Histogram
}

interface ReportedModel {
  readonly model: string
  readonly away: Outage | null
}

/** What a process that serves the pipeline says of itself every few seconds. */
export interface ProcessorReport {
  /** How far `steps` looks back, in seconds. */
  readonly window_seconds: number
  readonly embedder: ReportedModel
  /** Null: none is configured. */
  readonly judge: ReportedModel | null
  readonly segments: readonly {
    readonly head: StepName
    readonly steps: readonly StepName[]
    readonly lanes: readonly (Waiting & { readonly lane: Lane })[]
  }[]
  /** Delay queues and sinks, by their group’s name. */
  readonly queues: readonly (Waiting & { readonly group: string })[]
  readonly steps: readonly StepFigures[]
}

/** A process that has been silent for longer has ended, or cannot reach the database. */
const SILENT_AFTER_SECONDS = 15
/** Long enough to tell processors that are silent from an installation that never had any. */
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

/** Takes the report of a process back that ends on purpose. */
export const withdrawReport = async (transaction: Transaction, id: string): Promise<void> => {
  await transaction.query(LEAVE, [id])
}

export interface ReadReports {
  /** Of the processes that are there. */
  readonly reports: readonly ProcessorReport[]
  /** When any process last said something; null when none did within a day. */
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
 * Durations counted in buckets that grow by an eighth, so that counts of several processes can be added and a quantile
 * of the sum is right to within 7 %. Sparse: the upper bound's exponent, as text, to the count.
 */
export type Histogram = Readonly<Record<string, number>>

const GROWTH = Math.log(1.125)
/** What is shorter counts as this long. */
const SHORTEST_MS = 0.01

const bucketOf = (milliseconds: number): string =>
  String(Math.ceil(Math.log(Math.max(milliseconds, SHORTEST_MS)) / GROWTH))

/** Counts a duration in `histogram`, `times` over. */
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

/** The duration, in milliseconds, that a share `of` all (0 to 1) stays within; null when nothing was counted. */
export const quantile = (histogram: Histogram, of: number): number | null => {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((one, other) => one.bucket - other.bucket)
  const wanted = of * buckets.reduce((sum, { count }) => sum + count, 0)
  let below = 0
  for (const { bucket, count } of buckets) {
    below += count
    // The middle of the bucket, by the ratio of its bounds.
    if (below >= wanted) return Math.exp((bucket - 0.5) * GROWTH)
  }
  return null
}
