import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { groupOf } from '../../../model/activity/activity-clauses.ts'
import {
  type Field,
  type Filter,
  type Places,
  SAYS_WHAT,
  type TimeRange,
} from '../../../model/activity/activity-question.ts'
import { countsAgainstPast, firstEventAt } from '../../../model/activity/counts.ts'
import type { ActivityItem } from '../../../model/activity/figures.ts'
import type { Clock } from '../../../model/signals/happened.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'

/** Length of the past, as a multiple of the time. */
const PAST_SPANS = 4
const FALSE_DISCOVERY_RATE = 0.05
/** Groups with the steepest rise by a quick estimate; their probability is then computed exactly. */
const CANDIDATES = 1000

export const TRENDING_NOTE = `Rose: count against ${PAST_SPANS} times as long before (expected: what that past gives for this time), exact conditional Poisson test, at most ${FALSE_DISCOVERY_RATE * 100} % of the findings false (Benjamini-Hochberg). Counts signals that arrived, repeats included, unless filters name kind, step, outcome, tool or mode.`
export const NO_PAST_NOTE =
  'There is nothing to compare with: the activity begins later than one period of this length before the chosen time.'

interface Trending {
  readonly clock: Clock
  readonly range: TimeRange
  readonly groupBy: readonly Field[]
  readonly filters: readonly Filter[]
  readonly places: Places
}

/** The filters, with the counted kind of event when they name none. */
export const trendingFilters = (filters: readonly Filter[]): readonly Filter[] =>
  filters.some(({ field }) => SAYS_WHAT.has(field))
    ? filters
    : [...filters, { field: 'kind', op: 'in', values: ['signal.step'] }]

export const pastOf = ({ from, to }: Pick<TimeRange, 'from' | 'to'>): Date =>
  new Date(from.getTime() - PAST_SPANS * (to.getTime() - from.getTime()))

/** Groups whose count rose beyond chance against their own past, least likely first; null without enough past. */
export const trending = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  { range: { from, to }, clock, groupBy, filters, places }: Trending,
): Promise<readonly ActivityItem[] | null> => {
  const span = to.getTime() - from.getTime()
  const begin = pastOf({ from, to })
  const first = await firstEventAt(analytics, workspaceId, { begin, end: from, clock })
  // A workspace younger than the past has a shorter one.
  const exposure = first === null ? 0 : (from.getTime() - first) / span
  if (exposure < 1) return null

  const compared = { clock, begin, from, to, exposure, groupBy, filters, places, limit: CANDIDATES }
  const rows = await countsAgainstPast(analytics, workspaceId, compared)
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
    group: groupOf(row, groupBy, places),
    metrics: {
      count: row.recent,
      expected: Number((row.past / exposure).toPrecision(4)),
      chance: Number(chance.toPrecision(2)),
    },
  }))
}

/**
 * Probability that a count rose by chance. Events of a group are modelled as a Poisson process with `recent` events in
 * a span and `past` events in the `exposure` spans before. At an equal rate each event falls into the recent span with
 * probability 1 / (1 + exposure), so `recent` is binomial, given the sum (Przyborowski and Wilenski, Biometrika 31,
 * 1940). Unlike a Poisson test against the past's mean, this test includes the uncertainty of the mean, and allows an
 * empty past.
 *
 * Answers the probability of `recent` or more events: the upper tail, summed until the terms no longer matter.
 */
export const riseProbability = (recent: number, past: number, exposure: number): number => {
  const all = recent + past
  const p = 1 / (1 + exposure)
  if (recent <= all * p) return 1
  const logFirst =
    logFactorial(all) - logFactorial(recent) - logFactorial(past) + recent * Math.log(p) + past * Math.log1p(-p)
  let [term, sum] = [1, 1]
  for (let k = recent; k < all && term > sum * 1e-15; k += 1) {
    term *= ((all - k) / (k + 1)) * (p / (1 - p))
    sum += term
  }
  return Math.min(1, Math.exp(logFirst + Math.log(sum)))
}

const SMALL = Array.from({ length: 32 }).reduce<number[]>(
  logs => [...logs, (logs.at(-1) ?? 0) + Math.log(logs.length)],
  [0],
)

/** ln(n!), by Stirling's series beyond the table: accurate to some 14 digits. */
const logFactorial = (n: number): number =>
  SMALL[n] ??
  (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)

/**
 * Number of findings among the probabilities, in ascending order: of `tested` groups, with at most a share `rate` of
 * false findings (Benjamini and Hochberg, Journal of the Royal Statistical Society B 57, 1995).
 */
export const significantCount = (chances: readonly number[], tested: number, rate: number): number =>
  chances.findLastIndex((chance, index) => chance <= ((index + 1) / tested) * rate) + 1
