import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { type MetricPointId, newId, type OutcomeId, type SolutionId, type SourceId } from '../../schemas/domain/ids.ts'
import type { OutcomeVerdict } from '../../schemas/domain/vocabulary.ts'
import { parseInstant, readWritten } from '../../schemas/http/time.ts'
import { type Author, authorValues, type Decider } from '../decisions/log-decision.ts'
import { resolveOne } from '../references/resolve.ts'

export interface OutcomeRow extends Author {
  readonly id: OutcomeId
  readonly solution: { readonly id: SolutionId; readonly number: number; readonly title: string }
  readonly expectation: string
  readonly observation: string
  readonly verdict: OutcomeVerdict
  readonly points: readonly {
    readonly metric_id: SourceId
    readonly metric: string
    readonly value: number
    readonly occurred_at: string
  }[]
  /** Number of its Decision. */
  readonly decision: number
  readonly version: number
  readonly recorded_at: Date
  readonly updated_at: Date
}

const OUTCOMES = `
  select outcomes.id, expectation, observation, verdict, outcomes.version, author_name, key_label, recorded_at, outcomes.updated_at,
    jsonb_build_object('id', solutions.id, 'number', solutions.number, 'title', solutions.title) as solution,
    (select number from decisions where decisions.id = decision_id) as decision,
    coalesce((
      select jsonb_agg(jsonb_build_object('metric_id', metric_id, 'metric', sources.name, 'value', value, 'occurred_at', occurred_at)
        order by sources.name, occurred_at)
      from outcome_points join sources on sources.id = metric_id
      where outcome_id = outcomes.id), '[]') as points
  from outcomes join solutions on solutions.id = solution_id`

const OF_SOLUTION = `${OUTCOMES} where solution_id = $1`
const PAGE = `${OUTCOMES} order by outcomes.updated_at desc, outcomes.id desc limit $1 offset $2`
const COUNT = `select count(*)::integer as count from outcomes`
const SOLUTION_OF = `select solution_id from outcomes where id = $1`

/** The Outcome of a Solution; undefined before one is recorded. */
export const outcomeOf = async (transaction: Transaction, solutionId: string): Promise<OutcomeRow | undefined> =>
  (await transaction.query<OutcomeRow>(OF_SOLUTION, [solutionId]))[0]

/** Outcomes of the workspace, last changed first. */
export const outcomesPage = async (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly rows: readonly OutcomeRow[] }> => {
  const [counted] = await transaction.query<{ count: number }>(COUNT)
  const rows = await transaction.query<OutcomeRow>(PAGE, [page.limit, page.offset])
  return { count: counted?.count ?? 0, rows }
}

/** The Solution of an Outcome; undefined when no Outcome has the id. */
export const solutionOfOutcome = async (transaction: Transaction, id: string): Promise<SolutionId | undefined> =>
  (await transaction.query<{ solution_id: SolutionId }>(SOLUTION_OF, [id]))[0]?.solution_id

const VERDICTS = `select solution_id, verdict from outcomes where solution_id = any ($1::uuid[])`

/** Verdicts of Solutions. Solutions without an Outcome are missing. */
export const verdictsOf = async (
  transaction: Transaction,
  solutionIds: readonly SolutionId[],
): Promise<ReadonlyMap<SolutionId, OutcomeVerdict>> => {
  const rows = await transaction.query<{ solution_id: SolutionId; verdict: OutcomeVerdict }>(VERDICTS, [solutionIds])
  return new Map(rows.map(row => [row.solution_id, row.verdict]))
}

/** A metric point that an Outcome cites. */
interface CitedPoint {
  readonly metric_id: SourceId
  readonly metric: string
  readonly metric_point_id: MetricPointId
  readonly value: number
  readonly occurred_at: Date
}

/** The newest point of the span, as the map shows it. */
const NEWEST = `
  select id as metric_point_id, value, occurred_at from metric_points
  where metric_id = $1 and occurred_at >= $2 and occurred_at < $3
  order by occurred_at desc, received_at desc, id desc limit 1`

const NEAREST = `
  select occurred_at from metric_points where metric_id = $1
  order by abs(extract(epoch from occurred_at - $2::timestamptz)), id limit 3`

/**
 * The points that a metric (UUID or name) and a date cite: the newest point of that day in UTC, or the point at that
 * instant. Throws `invalid_input` for a malformed date, and `not_found` for a missing metric or point, with the nearest
 * dates.
 */
export const citedPoints = async (
  transaction: Transaction,
  cited: readonly { readonly metric_id: string; readonly date: string }[],
  now: Date,
): Promise<readonly CitedPoint[]> => {
  const points = new Map<MetricPointId, CitedPoint>()
  for (const { metric_id, date } of cited) {
    const metric = await resolveOne(transaction, 'metric', metric_id)
    const instant = parseInstant(date, now.getTime())
    if (!instant.ok) throw new AssayError('invalid_input', `The date of a metric point ${instant.message}.`)
    const from = instant.at
    const to = from + (readWritten(date)?.clock === null ? DAY_MS : 1)
    const values = [metric.id, new Date(from), new Date(to)]
    const [point] = await transaction.query<Pick<CitedPoint, 'metric_point_id' | 'value' | 'occurred_at'>>(
      NEWEST,
      values,
    )
    if (point === undefined) throw await noPoint(transaction, metric, date, new Date(from))
    // The id was resolved as a metric.
    points.set(point.metric_point_id, { metric_id: metric.id as SourceId, metric: metric.name, ...point })
  }
  return [...points.values()]
}

const noPoint = async (
  transaction: Transaction,
  metric: { readonly id: string; readonly name: string },
  date: string,
  at: Date,
): Promise<AssayError> => {
  const rows = await transaction.query<{ occurred_at: Date }>(NEAREST, [metric.id, at])
  const dates = rows.map(row => row.occurred_at.toISOString())
  const near = dates.length === 0 ? 'It has no points yet.' : `The nearest are at ${dates.join(', ')}.`
  return new AssayError('not_found', `The metric "${metric.name}" has no point at ${date.slice(0, 40)}. ${near}`, {
    context: { dates },
  })
}

interface NewOutcome {
  readonly solutionId: string
  readonly expectation: string
  readonly observation: string
  readonly verdict: OutcomeVerdict
  readonly points: readonly CitedPoint[]
  readonly decisionId: string
  readonly at: Date
}

const RECORD = `
  insert into outcomes as known
    (id, workspace_id, solution_id, expectation, observation, verdict, decision_id, author_id, author_name, key_label, recorded_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
  on conflict (workspace_id, solution_id) do update set
    expectation = excluded.expectation,
    observation = excluded.observation,
    verdict = excluded.verdict,
    decision_id = excluded.decision_id,
    author_id = excluded.author_id,
    author_name = excluded.author_name,
    key_label = excluded.key_label,
    updated_at = excluded.updated_at,
    version = known.version + 1
  returning id`

const FORGET_POINTS = `delete from outcome_points where outcome_id = $1`

const CITE = `
  insert into outcome_points (workspace_id, outcome_id, metric_id, metric_point_id, value, occurred_at)
  select $1, $2, metric_id, metric_point_id, value, occurred_at
  from jsonb_to_recordset($3::jsonb) as cited
    (metric_id uuid, metric_point_id uuid, value double precision, occurred_at timestamptz)`

/** Stores the Outcome of a Solution, or its next version. The caller holds the Solution and has checked the version. */
export const storeOutcome = async (
  transaction: Transaction,
  by: Decider,
  { solutionId, expectation, observation, verdict, points, decisionId, at }: NewOutcome,
): Promise<void> => {
  const parameters = [solutionId, expectation, observation, verdict, decisionId]
  const values = [newId<OutcomeId>(), by.workspaceId, ...parameters, ...authorValues(by), at]
  const [outcome] = await transaction.query<{ id: OutcomeId }>(RECORD, values)
  if (outcome === undefined) throw new Error(`The Outcome of Solution ${solutionId} was not stored.`)
  await transaction.query(FORGET_POINTS, [outcome.id])
  if (points.length > 0) await transaction.query(CITE, [by.workspaceId, outcome.id, JSON.stringify(points)])
}
