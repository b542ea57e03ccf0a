import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { SIGNAL_STATES } from '../../schemas/domain/vocabulary.ts'
import { type Clock, TIME_OF } from '../signals/happened.ts'
import {
  ARRIVED,
  BECAME_SIGNAL,
  EVENT_TIME,
  filterConditions,
  filterParameters,
  groupColumns,
  within,
} from './activity-clauses.ts'
import { type Field, type Filter, type Places, SAYS_WHAT } from './activity-question.ts'
import { activityRows } from './activity-rows.ts'

/** Requests that endpoints accepted and refused, and signals that became rows of their own. */
interface RequestCounts {
  readonly accepted: number
  readonly refused: number
  readonly deduplicated: number
}

/** Counts in [`from`, `to`). Refusals of endpoints without signals are left out. Only activity has refusals. */
export const countRequests = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { from, to, clock }: { readonly from: Date; readonly to: Date; readonly clock: Clock },
  withoutSignals: readonly string[],
): Promise<RequestCounts> => {
  const [counts] = await activityRows<RequestCounts>(analytics, workspaceId, {
    select: `
      uniqExactIf(subject_id, kind = 'signal.received') AS accepted,
      sumIf(times, kind = 'source.refused' AND source_id NOT IN {without_signals: Array(String)}) AS refused,
      uniqExactIf(subject_id, ${BECAME_SIGNAL}) AS deduplicated`,
    where: [within(clock, 'from', 'to'), `kind IN ('signal.received', 'signal.step', 'source.refused')`],
    parameters: { from, to, without_signals: withoutSignals },
  })
  return counts ?? { accepted: 0, refused: 0, deduplicated: 0 }
}

const decided = (at: string): string => `
  select count(distinct evidence.signal_id)::integer as in_claim,
    count(distinct evidence.signal_id) filter (where answers.solution_id is not null)::integer as in_solution,
    count(distinct evidence.signal_id) filter (where solutions.state = 'Done')::integer as done
  from signals
  join claim_evidence evidence on evidence.workspace_id = signals.workspace_id and evidence.signal_id = signals.id
  left join solution_claims answers on answers.workspace_id = evidence.workspace_id and answers.claim_id = evidence.claim_id
  left join solutions on solutions.workspace_id = answers.workspace_id and solutions.id = answers.solution_id
  where signals.state = any ($3) and ${at} >= $1 and ${at} < $2`

interface DecidedSignals {
  readonly in_claim: number
  readonly in_solution: number
  readonly done: number
}

/** Counts of signals in [`from`, `to`): evidence, answered by a Solution, and answered by a Solution that is Done. */
export const countDecidedSignals = async (
  transaction: Transaction,
  { from, to, clock }: { readonly from: Date; readonly to: Date; readonly clock: Clock },
): Promise<DecidedSignals> =>
  (await transaction.query<DecidedSignals>(decided(TIME_OF[clock]()), [from, to, SIGNAL_STATES]))[0] ?? {
    in_claim: 0,
    in_solution: 0,
    done: 0,
  }

/** Time of the first event in [`begin`, `end`), milliseconds since the epoch; null without one. */
export const firstEventAt = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { begin, end, clock }: { readonly begin: Date; readonly end: Date; readonly clock: Clock },
): Promise<number | null> => {
  const [known] = await activityRows<{ readonly first: number; readonly events: number }>(analytics, workspaceId, {
    select: `toUnixTimestamp64Milli(min(${EVENT_TIME[clock]})) AS first, count() AS events`,
    where: [within(clock, 'begin', 'end')],
    parameters: { begin, end },
  })
  return known === undefined || known.events === 0 ? null : known.first
}

/** Counts of a group, recently and before. The group's fields are `by_<field>`. */
interface GroupCounts extends Readonly<Record<string, string | number>> {
  readonly recent: number
  readonly past: number
  /** Number of groups. */
  readonly tested: number
}

interface Compared {
  readonly clock: Clock
  /** The past is [`begin`, `from`), the recent time [`from`, `to`). */
  readonly begin: Date
  readonly from: Date
  readonly to: Date
  /** Length of the past divided by the length of the recent time. */
  readonly exposure: number
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
  readonly places: Places
  readonly limit: number
}

/**
 * Groups whose recent count exceeds their past the most, by a quick estimate. Counts signals that arrived, unless the
 * filters select events.
 */
export const countsAgainstPast = (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { clock, begin, from, to, exposure, groupBy, filters, places, limit }: Compared,
): Promise<GroupCounts[]> =>
  activityRows<GroupCounts>(analytics, workspaceId, {
    select: [
      ...groupColumns(groupBy, places),
      `sumIf(times, ${EVENT_TIME[clock]} >= {from: DateTime64(3)}) AS recent`,
      `sumIf(times, ${EVENT_TIME[clock]} < {from: DateTime64(3)}) AS past`,
      'count() OVER () AS tested',
    ].join(', '),
    where: [
      within(clock, 'begin', 'to'),
      ...(filters.some(({ field }) => SAYS_WHAT.has(field)) ? [] : [ARRIVED]),
      ...filterConditions(filters, places),
    ],
    groupBy: groupBy.map(field => `by_${field}`),
    having: 'recent > 0',
    orderBy: '(recent - past / {exposure: Float64}) / sqrt(recent + past / pow({exposure: Float64}, 2)) DESC',
    limit,
    parameters: { begin, from, to, exposure, ...filterParameters(filters, places) },
  })

interface StepFigures {
  readonly step: string
  /** Signals, with repeats and dead letters. */
  readonly handled: number
  readonly next: number
  readonly skipped: number
  readonly retried: number
  readonly dead_lettered: number
  readonly p95_duration_ms: number
  /** Receipt of the newest signal that the step handled. */
  readonly newest_received_at: string
}

/** Figures of each step for the signals received after `since`, in the order of the pipeline. */
export const stepFigures = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  since: Date,
): Promise<StepFigures[]> => {
  const rows = await activityRows<StepFigures & { readonly ordinal: number }>(analytics, workspaceId, {
    select: `step, uniqExact(subject_id) AS handled, countIf(outcome = 'next') AS next, countIf(outcome = 'skip') AS skipped,
      countIf(outcome = 'retry') AS retried, countIf(outcome = 'dead') AS dead_lettered,
      quantileExact(0.95)(duration_ms) AS p95_duration_ms, max(occurred_at) AS newest_received_at, any(step_ordinal) AS ordinal`,
    where: [`kind = 'signal.step'`, 'occurred_at >= {since: DateTime64(3)}'],
    groupBy: ['step'],
    orderBy: 'ordinal',
    parameters: { since },
  })
  return rows.map(({ ordinal: _, ...step }) => step)
}
