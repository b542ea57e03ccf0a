import type { Transaction } from '../../infra/postgres/port.ts'
import type { OutcomeId, SolutionId, SourceId } from '../../schemas/domain/ids.ts'
import type { OutcomeVerdict } from '../../schemas/domain/vocabulary.ts'
import type { Author } from '../decisions/log-decision.ts'

/** What came of a Solution. */
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
  /** The number of the Decision that it hangs on. */
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

/** The Outcome of a Solution; undefined while none is recorded. */
export const outcomeOf = async (transaction: Transaction, solutionId: string): Promise<OutcomeRow | undefined> =>
  (await transaction.query<OutcomeRow>(OF_SOLUTION, [solutionId]))[0]

/** The Outcomes of the workspace, the last changed first. */
export const outcomesPage = async (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly rows: readonly OutcomeRow[] }> => {
  const [counted] = await transaction.query<{ count: number }>(COUNT)
  const rows = await transaction.query<OutcomeRow>(PAGE, [page.limit, page.offset])
  return { count: counted?.count ?? 0, rows }
}

/** The Solution that an Outcome is of; undefined for an id that is no Outcome's. */
export const solutionOfOutcome = async (transaction: Transaction, id: string): Promise<SolutionId | undefined> =>
  (await transaction.query<{ solution_id: SolutionId }>(SOLUTION_OF, [id]))[0]?.solution_id

const VERDICTS = `select solution_id, verdict from outcomes where solution_id = any ($1::uuid[])`

/** The verdicts of Solutions; one without an Outcome is absent. */
export const verdictsOf = async (
  transaction: Transaction,
  solutionIds: readonly SolutionId[],
): Promise<ReadonlyMap<SolutionId, OutcomeVerdict>> => {
  const rows = await transaction.query<{ solution_id: SolutionId; verdict: OutcomeVerdict }>(VERDICTS, [solutionIds])
  return new Map(rows.map(row => [row.solution_id, row.verdict]))
}
