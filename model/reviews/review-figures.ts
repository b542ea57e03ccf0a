import { type Static, type TSchema, Type } from 'typebox'
import {
  CLAIM_KINDS,
  CLAIM_STATES,
  CLASSIFICATIONS,
  METRIC_DIRECTIONS,
  OUTCOME_VERDICTS,
  SOLUTION_STATES,
} from '../../schemas/domain/vocabulary.ts'
import { METRIC_CHANGES } from '../metrics/change.ts'

const oneOf = <const Values extends readonly string[]>(values: Values) => Type.Enum<[...Values]>([...values])
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const instant = Type.String({ description: 'ISO 8601, UTC.' })

const count = Type.Integer()
/** Of the same time before; absent in reviews that were saved before it was kept. */
const before = Type.Optional(Type.Integer())

const named = { reference: Type.String(), title: Type.String() }

const ComparedClaim = Type.Object({
  ...named,
  kind: oneOf(CLAIM_KINDS),
  state: oneOf(CLAIM_STATES),
  evidence: Type.Number(),
  evidence_before: Type.Number(),
  actors: count,
  actors_before: count,
  signals: count,
  signals_before: count,
  /** The newest repeats in the time, of claims that rose; absent in reviews that were saved before they were kept. */
  repeats: Type.Optional(
    Type.Array(
      Type.Object({
        signal: Type.String({ description: 'What it repeats.' }),
        actor_name: nullable(Type.String()),
        text: nullable(Type.String()),
        source_url: nullable(Type.String()),
        occurred_at: instant,
      }),
    ),
  ),
})

/** How many came in during each of equal parts of the time, beside the part of the time before at the same place. */
const OverTime = Type.Object({ from: instant, signals: count, signals_before: count })

export const ReviewFigures = Type.Object({
  signals: Type.Object({
    count,
    count_before: count,
    by_classification: Type.Array(
      Type.Object({ classification: oneOf(CLASSIFICATIONS), signals: count, signals_before: before }),
    ),
    over_time: Type.Optional(Type.Array(OverTime)),
  }),
  claims: Type.Object({
    appeared: count,
    appeared_before: count,
    moved: count,
    moved_before: before,
    merged: count,
    merged_before: before,
    rose: Type.Array(ComparedClaim),
    fell: Type.Array(ComparedClaim),
  }),
  solutions: Type.Object({
    changes: count,
    changes_before: before,
    moves: Type.Array(Type.Object({ ...named, from: nullable(oneOf(SOLUTION_STATES)), to: oneOf(SOLUTION_STATES) })),
    by_state: Type.Array(
      Type.Object({ state: oneOf(SOLUTION_STATES), solutions: count, stuck: count, solutions_before: before }),
    ),
    stuck: Type.Array(Type.Object({ ...named, state: oneOf(SOLUTION_STATES), days_in_state: Type.Number() })),
  }),
  decisions: count,
  decisions_before: before,
  outcomes: Type.Object({
    count,
    count_before: before,
    items: Type.Array(Type.Object({ ...named, verdict: oneOf(OUTCOME_VERDICTS), observation: Type.String() })),
  }),
  metrics: Type.Array(
    Type.Object({
      name: Type.String(),
      node: Type.String(),
      node_id: Type.Optional(Type.String()),
      direction: oneOf(METRIC_DIRECTIONS),
      value: Type.Number(),
      value_before: nullable(Type.Number()),
      change: nullable(oneOf(METRIC_CHANGES)),
      target: nullable(Type.Number()),
      on_target: nullable(Type.Boolean()),
      points: Type.Optional(Type.Array(Type.Object({ occurred_at: instant, value: Type.Number() }))),
    }),
  ),
})
/** What a Product Review is made from, as it is stored with it. Lists hold the first eight, their texts cut. */
export type ReviewFigures = Static<typeof ReviewFigures>
