import type { Transaction } from '../../infra/postgres/port.ts'
import { newId, type OutcomeId } from '../../schemas/domain/ids.ts'
import type { OutcomeVerdict } from '../../schemas/domain/vocabulary.ts'
import { authorValues } from '../author.ts'
import type { Decider } from '../decisions/log-decision.ts'
import type { CitedPoint } from './cited-points.ts'

export interface NewOutcome {
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

/** Records the Outcome of a Solution, or its next version. The caller holds the Solution and has checked the version. */
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
