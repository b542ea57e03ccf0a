import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { activityRows } from '../../../model/activity/activity-rows.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { TimeRange } from '../parts/time-range.ts'
import type { ActivityItem } from './activity-answer.ts'
import { filterConditions, filterParameters } from './activity-filters.ts'
import type { Filter } from './activity-question.ts'
import { FIELDS, type Field } from './activity-vocabulary.ts'
import { riseProbability, significantCount } from './rise-probability.ts'

/** How many times as long the past is. */
const PAST_SPANS = 4
const FALSE_DISCOVERY_RATE = 0.05
/** Those whose rise is the most beyond chance by a quick look, whose chance is then computed exactly. */
const CANDIDATES = 1000

/** A signal that came to its end in the pipeline, as a row of its own or as a repeat: it has a node then. */
const ARRIVED = `kind = 'signal.step' AND (outcome = 'skip' OR step = 'insert' AND outcome = 'next')`
/** Filters by one of these say themselves which events to count. */
const SAYS_WHAT: ReadonlySet<Field> = new Set<Field>(['kind', 'step', 'outcome', 'tool', 'mode'])

export const TRENDING_NOTE = `Rose: count against ${PAST_SPANS} times as long before (expected: what that past gives for this time), exact conditional Poisson test, at most ${FALSE_DISCOVERY_RATE * 100} % of the findings false (Benjamini-Hochberg). Counts signals that arrived, repeats included, unless filters name kind, step, outcome, tool or mode.`
export const NO_PAST_NOTE =
  'There is too little past to compare with: less than one span of this length before time.from.'

interface Row extends Readonly<Record<string, string | number>> {
  readonly recent: number
  readonly past: number
  readonly tested: number
}

export interface Trending {
  readonly range: TimeRange
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
}

/** Groups whose count rose beyond chance against their own past, the least likely first; null without enough past. */
export const trending = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { range: { from, to }, groupBy, filters }: Trending,
): Promise<readonly ActivityItem[] | null> => {
  const span = to.getTime() - from.getTime()
  const begin = new Date(from.getTime() - PAST_SPANS * span)
  const parameters = { begin, from, to, ...filterParameters(filters) }
  const [known] = await activityRows<{ readonly first: number; readonly events: number }>(analytics, workspaceId, {
    select: 'toUnixTimestamp64Milli(min(occurred_at)) AS first, count() AS events',
    where: ['occurred_at >= {begin: DateTime64(3)} AND occurred_at < {from: DateTime64(3)}'],
    parameters: { begin, from },
  })
  // A workspace that is younger than the past has less of it.
  const exposure = known === undefined || known.events === 0 ? 0 : (from.getTime() - known.first) / span
  if (exposure < 1) return null

  const rows = await activityRows<Row>(analytics, workspaceId, {
    select: [
      ...groupBy.map(field => `${FIELDS[field]} AS by_${field}`),
      'sumIf(times, occurred_at >= {from: DateTime64(3)}) AS recent',
      'sumIf(times, occurred_at < {from: DateTime64(3)}) AS past',
      'count() OVER () AS tested',
    ].join(', '),
    where: [
      'occurred_at >= {begin: DateTime64(3)} AND occurred_at < {to: DateTime64(3)}',
      ...(filters.some(({ field }) => SAYS_WHAT.has(field)) ? [] : [ARRIVED]),
      ...filterConditions(filters),
    ],
    groupBy: groupBy.map(field => `by_${field}`),
    having: 'recent > 0',
    orderBy: '(recent - past / {exposure: Float64}) / sqrt(recent + past / pow({exposure: Float64}, 2)) DESC',
    limit: CANDIDATES,
    parameters: { ...parameters, exposure },
  })
  const ranked = rows
    .map(row => ({ row, chance: riseProbability(row.recent, row.past, exposure) }))
    .sort((one, other) => one.chance - other.chance)
  const risen = significantCount(
    ranked.map(({ chance }) => chance),
    rows[0]?.tested ?? 0,
    FALSE_DISCOVERY_RATE,
  )
  return ranked.slice(0, risen).map(({ row, chance }) => ({
    period: null,
    group: Object.fromEntries(groupBy.map(field => [field, String(row[`by_${field}`])])),
    metrics: {
      count: row.recent,
      expected: Number((row.past / exposure).toPrecision(4)),
      chance: Number(chance.toPrecision(2)),
    },
  }))
}
