import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Clock } from '../signals/happened.ts'
import { EVENT_TIME, filterConditions, filterParameters, groupColumns, within } from './activity-clauses.ts'
import type { Filter } from './activity-question.ts'
import { activityRows } from './activity-rows.ts'
import { type Field, SAYS_WHAT } from './activity-vocabulary.ts'
import type { Places } from './signal-places.ts'

/** A signal that came to its end in the pipeline, as a row of its own or as a repeat: it has a node then. */
const ARRIVED = `kind = 'signal.step' AND (outcome = 'skip' OR step = 'insert' AND outcome = 'next')`

/** When the first event was, from `begin` until before `end`, in milliseconds since the epoch; null when there was none. */
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

/** How often a group came, recently and before; the group’s fields are `by_<field>`. */
export interface GroupCounts extends Readonly<Record<string, string | number>> {
  readonly recent: number
  readonly past: number
  /** Groups in all. */
  readonly tested: number
}

interface Compared {
  readonly clock: Clock
  /** The past is from here until before `from`; recent, from there until before `to`. */
  readonly begin: Date
  readonly from: Date
  readonly to: Date
  /** How many times as long the past is. */
  readonly exposure: number
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
  readonly places: Places
  readonly limit: number
}

/**
 * The groups whose recent count is the most beyond that of their past, by a quick look. Signals that arrived are counted, unless the filters
 * say which events to count.
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
