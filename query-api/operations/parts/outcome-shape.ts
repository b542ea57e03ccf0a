import { type Static, Type } from 'typebox'
import type { OutcomeRow } from '../../../model/outcomes/outcomes.ts'
import { OUTCOME_VERDICTS, reference } from '../../../schemas/domain/vocabulary.ts'
import { cut, type Excerpt, excerptWithin } from './excerpt.ts'
import { instant, oneOf, uuid } from './fields.ts'
import { authorFields } from './handoff-shape.ts'

/** What came of a Solution. */
export const OutcomeShape = Type.Object({
  id: uuid,
  solution: Type.Object({ id: uuid, reference: Type.String(), title: Type.String() }),
  verdict: oneOf(OUTCOME_VERDICTS),
  expectation: Type.String(),
  expectation_truncation: cut,
  observation: Type.String(),
  observation_truncation: cut,
  cited: Type.Integer({ description: 'Metric points cited in all; a short answer shows fewer.' }),
  points: Type.Array(
    Type.Object({
      metric_id: uuid,
      metric: Type.String(),
      value: Type.Number({ description: 'As it was when it was cited.' }),
      occurred_at: instant,
    }),
  ),
  decision: Type.String(),
  ...authorFields,
  version: Type.Integer({ description: 'Send it to revise the Outcome.' }),
  recorded_at: instant,
  updated_at: instant,
})
export type OutcomeShape = Static<typeof OutcomeShape>

interface Room {
  /** For each of the texts. */
  readonly tokens: number
  readonly points: number
}

const WHOLE: Room = { tokens: Number.POSITIVE_INFINITY, points: Number.POSITIVE_INFINITY }

export const toOutcome = (row: OutcomeRow, { tokens, points: most }: Room = WHOLE): OutcomeShape => {
  const { solution, expectation, observation, points, decision, recorded_at, updated_at, ...rest } = row
  const name = reference('solution', solution.number)
  const shown = (text: string): Excerpt =>
    excerptWithin(text, tokens, `service_lookup mode outcome, id ${name}, depth full`)
  const [expected, observed] = [shown(expectation), shown(observation)]
  return {
    ...rest,
    solution: { id: solution.id, reference: name, title: shown(solution.title).text },
    expectation: expected.text,
    expectation_truncation: expected.text_truncation,
    observation: observed.text,
    observation_truncation: observed.text_truncation,
    cited: points.length,
    points: points.slice(0, most).map(point => ({ ...point, occurred_at: new Date(point.occurred_at).toISOString() })),
    decision: reference('decision', decision),
    recorded_at: recorded_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
