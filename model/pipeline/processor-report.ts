import type { Transaction } from '../../infra/postgres/port.ts'
import type { Outage } from '../../infra/runtime/reachability.ts'
import type { StepName } from '../../schemas/domain/vocabulary.ts'
import type { Lane } from '../../schemas/events/topics.ts'
import type { Histogram } from './histogram.ts'

/** What a consumer group does. `paused`: people hold it still; `waiting`: for a dependency; `stuck`: nobody knows why. */
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
