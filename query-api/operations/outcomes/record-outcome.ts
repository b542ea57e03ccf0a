import { citedPoints, outcomeOf, storeOutcome } from '../../../model/outcomes/outcomes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { lockSolution } from '../../../model/solutions/change-solution.ts'
import { notInState } from '../../../model/solutions/states.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { OUTCOME_VERDICTS, reference } from '../../../schemas/domain/vocabulary.ts'
import { DecisionBasis, recordDecision, requireAppDecision, requireDecision } from '../decisions/decision.ts'
import { Type, throwDeleted, writeOperation } from '../define.ts'
import { requireVersion } from '../documents/document.ts'
import { comment, decisionId, identifier, oneOf, version } from '../parts/fields.ts'
import { solutionId } from '../solutions/solution.ts'
import { OutcomeShape, toOutcome } from './lookup-outcome.ts'

const textField = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description })

export const recordOutcome = writeOperation({
  name: 'record_outcome',
  title: 'Record an Outcome',
  summary:
    'Records what came of a Done Solution: what was expected, what was observed, the verdict, and the metric points that show it. A Solution has one Outcome; recording again revises it, with the version that was read. Needs comment or decision_id.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    solution_id: solutionId,
    expectation: textField(MAX_CHARACTERS.expectation, 'The expectation.'),
    observation: textField(MAX_CHARACTERS.observation, 'The observation.'),
    verdict: oneOf(OUTCOME_VERDICTS, { description: 'The verdict. Whether the expectation was met.' }),
    metric_points: Type.Optional(
      Type.Array(
        Type.Object({
          metric_id: Type.With(identifier, { description: 'The metric. A UUID or exact name.' }),
          date: Type.String({
            minLength: 1,
            maxLength: 40,
            description: 'A day or an instant. Of a day its newest point, UTC.',
          }),
        }),
        { minItems: 1, maxItems: 20, description: 'Its metric points. They show what came of it.' },
      ),
    ),
    comment,
    decision_id: decisionId,
    version,
  }),
  output: Type.Object({ outcome: OutcomeShape, decision: DecisionBasis }),
  apply: async (input, transaction, context) => {
    const grounds = await requireDecision(transaction, context.caller, input)
    const { caller, services } = context
    const at = services.now()
    const { id } = await resolveOne(transaction, 'solution', input.solution_id)
    const points = await citedPoints(transaction, input.metric_points ?? [], at)
    const solution = await lockSolution(transaction, id, undefined)
    const name = reference('solution', solution.number)
    if (solution.state !== 'Done') {
      throw notInState(solution.state, `${name} is ${solution.state}; an Outcome is recorded of a Done Solution.`)
    }
    await requireAppDecision(transaction, caller, grounds, { what: 'an Outcome', solution })
    const known = await outcomeOf(transaction, id)
    requireVersion(
      {
        what: `The Outcome of ${name}`,
        version: known?.version ?? 0,
        read: `service_lookup mode outcome, id ${name},`,
        context: { outcome: known === undefined ? null : toOutcome(known, { tokens: 100, points: 0 }) },
      },
      input.version,
    )
    const { verdict } = input
    const [expectation, observation] = [input.expectation.trim(), input.observation.trim()]
    const next = { expectation, observation, verdict, metric_point_ids: points.map(point => point.metric_point_id) }
    const before = known && { expectation: known.expectation, observation: known.observation, verdict: known.verdict }
    const change = { outcome: { from: before ?? null, to: next } }
    const decision = await recordDecision(transaction, context, grounds, [{ kind: 'solution', id, change }])
    const outcome = { solutionId: id, expectation, observation, verdict, points, decisionId: decision.id, at }
    await storeOutcome(transaction, caller, outcome)
    return { data: { outcome: toOutcome((await outcomeOf(transaction, id)) ?? throwDeleted('Outcome')), decision } }
  },
})
