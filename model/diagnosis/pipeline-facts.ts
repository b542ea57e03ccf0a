import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import { MINUTE_MS } from '../../schemas/domain/durations.ts'
import type { SourceId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type SourceKind, STEPS } from '../../schemas/domain/vocabulary.ts'
import { activityRows } from '../activity/activity-rows.ts'

/** A received signal without an end. */
interface Stuck {
  readonly subject_id: string
  /** Receipt, milliseconds since the epoch. */
  readonly received_ms: number
  /** Number of all such signals. */
  readonly total: number
  /** Ordinal of the last step that it passed; 0 before the first. */
  readonly reached: number
  readonly outcome: string
  readonly reason: string
}

interface StepFigures {
  readonly step_ordinal: number
  /** Receipt of the newest signal that the step handled, milliseconds since the epoch. */
  readonly newest_ms: number
  /** Last reported version of the step. */
  readonly version: string
  /** Signals that passed the step in the last hour: their number, and the 95th percentile of the time since receipt. */
  readonly passed: number
  readonly p95_elapsed_ms: number
}

export interface StepFacts {
  readonly stuck: readonly Stuck[]
  readonly steps: readonly StepFigures[]
}

/** Minutes after which a signal without an end is stuck. */
export const STUCK_AFTER_MINUTES = 5
const MAX_STUCK = 1000

/** Ends of a signal: a row, a repeat, a dead letter, or an erasure. */
const ENDED = `kind = 'signal.dead_letter' OR outcome IN ('skip', 'dead', 'erased') OR (step = 'insert' AND outcome = 'next')`

const LATEST = '(elapsed_ms, step_ordinal)'

const OF_SIGNALS = [
  `kind IN ('signal.received', 'signal.step', 'signal.dead_letter')`,
  'occurred_at >= {from: DateTime64(3)}',
  'occurred_at < {to: DateTime64(3)}',
]

/** Signals of a period without an end, mostly none. Their progress is then read for these alone. */
const readStuck = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  time: { readonly from: Date; readonly to: Date },
): Promise<readonly Stuck[]> => {
  const endless = await activityRows<Pick<Stuck, 'subject_id' | 'received_ms' | 'total'>>(analytics, workspaceId, {
    select: 'subject_id, toUnixTimestamp64Milli(min(occurred_at)) AS received_ms, count() OVER () AS total',
    where: OF_SIGNALS,
    groupBy: ['subject_id'],
    having: `countIf(${ENDED}) = 0`,
    orderBy: 'received_ms, subject_id',
    limit: MAX_STUCK,
    parameters: time,
  })
  if (endless.length === 0) return []
  const reached = await activityRows<Omit<Stuck, 'received_ms' | 'total'>>(analytics, workspaceId, {
    select: `subject_id, argMax(step_ordinal, ${LATEST}) AS reached, argMax(activity.outcome, ${LATEST}) AS outcome,
      argMax(activity.reason, ${LATEST}) AS reason`,
    where: [...OF_SIGNALS, 'subject_id IN {subjects: Array(String)}'],
    groupBy: ['subject_id'],
    parameters: { ...time, subjects: endless.map(({ subject_id }) => subject_id) },
  })
  const ways = new Map(reached.map(way => [way.subject_id, way]))
  return endless.flatMap(one => {
    const way = ways.get(one.subject_id)
    return way === undefined ? [] : [{ ...one, ...way }]
  })
}

/** The steps' work on the signals of the last day. Rejects while ClickHouse is away. */
export const stepFacts = async (analytics: Analytics, workspaceId: WorkspaceId, now: Date): Promise<StepFacts> => {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)
  const parameters = { from: ago(24 * 60), to: ago(STUCK_AFTER_MINUTES), hour: ago(60) }
  const steps = activityRows<StepFigures>(analytics, workspaceId, {
    select: `step_ordinal, toUnixTimestamp64Milli(max(occurred_at)) AS newest_ms, argMax(activity.version, occurred_at) AS version,
      countIf(outcome = 'next' AND replay = 0 AND occurred_at >= {hour: DateTime64(3)}) AS passed,
      if(passed = 0, 0, quantileExactIf(0.95)(elapsed_ms, outcome = 'next' AND replay = 0 AND occurred_at >= {hour: DateTime64(3)})) AS p95_elapsed_ms`,
    where: [`kind = 'signal.step'`, 'occurred_at >= {from: DateTime64(3)}'],
    groupBy: ['step_ordinal'],
    parameters,
  })
  const [stuckRows, stepRows] = await Promise.all([readStuck(analytics, workspaceId, parameters), steps])
  return { stuck: stuckRows, steps: stepRows }
}

/** The ordinal of a step, from 1. */
export const ordinalOf = (step: (typeof STEPS)[number]): number => STEPS.indexOf(step) + 1

export interface StoredSource {
  readonly id: SourceId
  readonly kind: SourceKind
  readonly name: string
  readonly paused: boolean
  readonly paused_days: number | null
  readonly age_days: number
  /** True when the secret cannot be unsealed with this installation's key, so that no request can be verified. */
  readonly unreadable: boolean
}

/** Throws for a value that another key has sealed. */
type Unseal = (sealed: Uint8Array) => unknown

type Row = Omit<StoredSource, 'unreadable'> & { readonly sealed_secret: Uint8Array | null }

const MAX_SOURCES = 500

const SOURCES = `
  select id, kind, name, sealed_secret, paused_at is not null as paused,
    extract(epoch from now() - paused_at)::float8 / 86400 as paused_days,
    extract(epoch from now() - created_at)::float8 / 86400 as age_days
  from sources where deleted_at is null order by created_at, id limit ${MAX_SOURCES}`

export const storedSources = async (transaction: Transaction, unseal: Unseal): Promise<readonly StoredSource[]> =>
  (await transaction.query<Row>(SOURCES)).map(({ sealed_secret: sealed, ...source }) => ({
    ...source,
    unreadable: sealed !== null && !opens(sealed, unseal),
  }))

const opens = (sealed: Uint8Array, unseal: Unseal): boolean => {
  try {
    unseal(sealed)
    return true
  } catch {
    return false
  }
}

/** A metric that is received or bound. */
export interface MetricFacts {
  readonly id: SourceId
  readonly name: string
  readonly is_receiving: boolean
  readonly paused: boolean
  /** Days since its webhook was created. */
  readonly age_days: number
  readonly last_point_at: Date | null
  /** Id of its first bound node; null without one. */
  readonly node_id: string | null
}

const MAX_METRICS = 500

const METRICS = `
  select source.id, source.name, source.deleted_at is null as is_receiving, source.paused_at is not null as paused,
    extract(epoch from now() - source.created_at)::float8 / 86400 as age_days,
    (select received_at from metric_points where workspace_id = source.workspace_id and metric_id = source.id
      order by occurred_at desc, received_at desc, id desc limit 1) as last_point_at,
    bound.node_id
  from sources source
  left join lateral (
    select node_id from metric_bindings
    where workspace_id = source.workspace_id and metric_id = source.id order by node_id limit 1
  ) as bound on true
  where source.kind = 'metric' and (source.deleted_at is null or bound.node_id is not null)
  order by source.created_at, source.id limit ${MAX_METRICS}`

export const metricFacts = (transaction: Transaction): Promise<readonly MetricFacts[]> =>
  transaction.query<MetricFacts>(METRICS)
