import type { Transaction } from '../../infra/postgres/port.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import {
  type ClaimKind,
  type ClaimState,
  type MetricDirection,
  SIGNAL_STATES,
} from '../../schemas/domain/vocabulary.ts'
import type { Window } from '../changes/window.ts'
import { hasReached, metricChangeOf, thinnedPoints } from '../metrics/points.ts'
import { happenedAt } from '../signals/happened.ts'
import type { ReviewFigures } from './review-figures.ts'

/** A claim's evidence in a period, beside that of the period before. */
export interface EvidenceChange {
  readonly number: number
  readonly title: string
  readonly kind: ClaimKind
  readonly state: ClaimState
  /** Sum over the period's actors of ln(1 + their signals): many people weigh more than one who repeats. */
  readonly evidence: number
  readonly previous_evidence: number
  readonly actors: number
  readonly previous_actors: number
  /** Signals and their repeats. */
  readonly signals: number
  readonly previous_signals: number
}

const selectColumns = (columns: string, from: string): string => `
    select ${columns}, ${happenedAt('part')} as at,
      evidence_actor(part.actor_key, part.source, part.source_id, part.channel, part.actor_name) as actor
    from ${from}
    where signals.state <> 'dismissed' and ${happenedAt('part')} >= $1
      and ${happenedAt('part')} < $3`

/** `$1`: start of the period before; `$2`, `$3`: start and end of the period; `$4`: claims for each direction. */
const COMPARED = `
  with parts as (
    ${selectColumns('part.id as signal_id', 'signals part join signals on signals.id = part.id')}
    union all
    ${selectColumns('part.signal_id', 'occurrences part join signals on signals.id = part.signal_id')}
  ),
  by_actor as (
    select claim_id, parts.actor, count(*) filter (where at >= $2) as signals, count(*) filter (where at < $2) as previous_signals
    from parts join claim_evidence using (signal_id)
    group by claim_id, parts.actor
  ),
  compared as (
    select claim_id,
      sum(ln(1 + signals::double precision)) as evidence, sum(ln(1 + previous_signals::double precision)) as previous_evidence,
      (count(*) filter (where signals > 0))::integer as actors,
      (count(*) filter (where previous_signals > 0))::integer as previous_actors,
      sum(signals)::integer as signals, sum(previous_signals)::integer as previous_signals
    from by_actor group by claim_id
  ),
  ranked as (
    select number, title, kind, state, evidence, previous_evidence, actors, previous_actors, signals, previous_signals,
      row_number() over (order by evidence - previous_evidence desc, number) as rise,
      row_number() over (order by evidence - previous_evidence, number) as fall,
      (count(*) filter (where evidence > previous_evidence) over ())::integer as risen,
      (count(*) filter (where evidence < previous_evidence) over ())::integer as fallen
    from compared join claims on claims.id = claim_id
    where merged_into is null
  )
  select number, title, kind, state, evidence, previous_evidence, actors, previous_actors, signals, previous_signals,
    risen, fallen
  from ranked
  where evidence > previous_evidence and rise <= $4 or evidence < previous_evidence and fall <= $4
  order by abs(evidence - previous_evidence) desc, number`

interface RankedChange extends EvidenceChange {
  readonly risen: number
  readonly fallen: number
}

/** The first claims that changed in one direction, with the number of all. */
interface Changes {
  readonly count: number
  readonly first: readonly EvidenceChange[]
}

/** Claims whose evidence rose and fell the most, by the time at which it happened, against the period before. */
export const evidenceChanges = async (
  transaction: Transaction,
  { from, to }: Window,
  before: Window,
  limit: number,
): Promise<{ readonly rose: Changes; readonly fell: Changes }> => {
  const rows = await transaction.query<RankedChange>(COMPARED, [before.from, from, to, limit])
  const changed = rows.map(({ risen: _, fallen: __, ...change }) => change)
  return {
    rose: {
      count: rows[0]?.risen ?? 0,
      first: changed.filter(claim => claim.evidence > claim.previous_evidence),
    },
    fell: {
      count: rows[0]?.fallen ?? 0,
      first: changed.filter(claim => claim.evidence < claim.previous_evidence),
    },
  }
}

/** A metric bound to a node, with its last value before the period and its last value in it. */
interface Row {
  readonly metric_id: string
  readonly name: string
  readonly node: string
  readonly node_id: string
  readonly direction: MetricDirection
  readonly value: number
  readonly previous_value: number | null
  readonly target: number | null
  /** Number of all of them. */
  readonly in_all: number
}

/** Points that a small chart has room for. */
const MAX_POINTS = 30

const lastWithin = (condition: string): string => `
  select value from metric_points
  where workspace_id = bound.workspace_id and metric_id = bound.metric_id and ${condition}
  order by occurred_at desc, received_at desc, id desc limit 1`

const METRICS = `
  select bound.metric_id, bound.name, map_nodes.name as node, map_nodes.id as node_id, bound.direction, bound.target, last.value, earlier.value as previous_value,
    count(*) over ()::integer as in_all
  from metric_bindings bound
  join map_nodes on map_nodes.id = bound.node_id
  cross join lateral (${lastWithin('occurred_at > $1 and occurred_at <= $2')}) last
  left join lateral (${lastWithin('occurred_at <= $1')}) earlier on true
  order by bound.name, map_nodes.name, bound.node_id
  limit $3`

/** Bound metrics with points in the period, by name, with these points. */
export const metricFigures = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
): Promise<Pick<ReviewFigures, 'metrics' | 'metric_count'>> => {
  const figures: ReviewFigures['metrics'] = []
  const rows = await transaction.query<Row>(METRICS, [from, to, limit])
  for (const { metric_id: metric, in_all: _, ...row } of rows) {
    const { points } = await thinnedPoints(transaction, { metric, since: from, until: to, most: MAX_POINTS })
    figures.push({
      ...row,
      change: row.previous_value === null ? null : metricChangeOf(row.direction, row.previous_value, row.value),
      on_target: row.target === null ? null : hasReached(row.direction, row.target, row.value),
      points: points.map(({ value, occurred_at }) => ({ occurred_at: occurred_at.toISOString(), value })),
    })
  }
  return { metric_count: rows[0]?.in_all ?? 0, metrics: figures }
}

/** Parts that a chart can show. */
const MAX_PARTS = 31
/** Parts of a period that is too short for days. */
const SHORT_PARTS = 12

interface PartRow {
  readonly part: number
  readonly signals: number
}

/** `$1`, `$2`: start and end of the time; `$3`: seconds of a part; `$4`: number of parts, counted from 0. */
const IN_PARTS = `
  select least($4 - 1, greatest(0, floor(extract(epoch from ${happenedAt()} - $1)::double precision / $3)))::integer as part,
    count(*)::integer as signals
  from signals
  where state = any ($5) and ${happenedAt()} >= $1 and ${happenedAt()} < $2
  group by part`

/** Numbers of signals in a period and in the period before, by day for up to a month. */
export const signalsOverTime = async (
  transaction: Transaction,
  period: Window,
  before: Window,
): Promise<NonNullable<ReviewFigures['signals']['time_series']>> => {
  const lengthOf = ({ from, to }: Window): number => to.getTime() - from.getTime()
  const days = Math.ceil(lengthOf(period) / DAY_MS)
  const parts = days < 3 ? SHORT_PARTS : Math.min(days, MAX_PARTS)
  // Months differ in length, but both times have the same number of parts.
  const countsOf = async (window: Window): Promise<ReadonlyMap<number, number>> => {
    const values = [window.from, window.to, lengthOf(window) / parts / 1000, parts, SIGNAL_STATES]
    const rows = await transaction.query<PartRow>(IN_PARTS, values)
    return new Map(rows.map(({ part, signals }) => [part, signals]))
  }
  const [now, earlier] = [await countsOf(period), await countsOf(before)]
  return Array.from({ length: parts }, (_, part) => ({
    from: new Date(period.from.getTime() + (part * lengthOf(period)) / parts).toISOString(),
    signals: now.get(part) ?? 0,
    previous_signals: earlier.get(part) ?? 0,
  }))
}
