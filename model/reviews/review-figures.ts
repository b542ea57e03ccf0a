import { type Static, type TSchema, Type } from 'typebox'
import { ownText, untrustedText } from '../../schemas/domain/strangers.ts'
import {
  CLAIM_KINDS,
  CLAIM_STATES,
  CLASSIFICATIONS,
  METRIC_DIRECTIONS,
  OUTCOME_VERDICTS,
  SOLUTION_STATES,
} from '../../schemas/domain/vocabulary.ts'
import { METRIC_CHANGES } from '../metrics/points.ts'
import { CLOCKS } from '../signals/happened.ts'

const oneOf = <const Values extends readonly string[]>(values: Values) => Type.Enum<[...Values]>([...values])
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const instant = Type.String({ description: 'ISO 8601, UTC.' })

const count = Type.Integer()
/** Figure of the time before; absent in older reviews. */
const before = Type.Optional(Type.Integer())

const named = { reference: Type.String(), title: ownText() }

const ComparedClaim = Type.Object({
  reference: Type.String(),
  title: untrustedText(),
  kind: oneOf(CLAIM_KINDS),
  state: oneOf(CLAIM_STATES),
  evidence: Type.Number(),
  previous_evidence: Type.Number(),
  actors: count,
  previous_actors: count,
  signals: Type.Integer({ description: 'Signals and their repeats.' }),
  previous_signals: count,
  /** Newest repeats of the time, of claims that rose; absent in older reviews. */
  repeats: Type.Optional(
    Type.Array(
      Type.Object({
        signal: Type.String({ description: 'What it repeats.' }),
        actor_name: nullable(untrustedText()),
        text: nullable(untrustedText()),
        source_url: nullable(untrustedText()),
        occurred_at: instant,
      }),
    ),
  ),
})

/** Signals in equal parts of the time, beside the same part of the time before. */
const OverTime = Type.Object({ from: instant, signals: count, previous_signals: count })

export const ReviewFigures = Type.Object({
  signals: Type.Object({
    /** Clock of the figures; absent in older reviews, which counted by the receipt. */
    clock: Type.Optional(oneOf(CLOCKS)),
    /** Start of the compared period; absent for the one of the same length before. */
    previous_from: Type.Optional(instant),
    count: Type.Integer({ description: 'Signals, without repeats.' }),
    previous_count: count,
    by_classification: Type.Array(
      Type.Object({ classification: oneOf(CLASSIFICATIONS), signals: count, previous_signals: before }),
    ),
    time_series: Type.Optional(Type.Array(OverTime)),
  }),
  claims: Type.Object({
    new_count: count,
    previous_new_count: count,
    moved: count,
    previous_moved: before,
    merged: count,
    previous_merged: before,
    rising: Type.Array(ComparedClaim),
    falling: Type.Array(ComparedClaim),
    /** Number of all; the lists have the first ones. Absent in older reviews. */
    rising_count: before,
    falling_count: before,
  }),
  solutions: Type.Object({
    changes: count,
    previous_changes: before,
    transitions: Type.Array(
      Type.Object({ ...named, from: nullable(oneOf(SOLUTION_STATES)), to: oneOf(SOLUTION_STATES) }),
    ),
    by_state: Type.Array(
      Type.Object({ state: oneOf(SOLUTION_STATES), solutions: count, stuck: count, previous_solutions: before }),
    ),
    stuck: Type.Array(Type.Object({ ...named, state: oneOf(SOLUTION_STATES), days_in_state: Type.Number() })),
  }),
  /** Time zone of the period's days; absent in older reviews, which used UTC. */
  time_zone: Type.Optional(Type.String()),
  decisions: count,
  previous_decisions: before,
  outcomes: Type.Object({
    count,
    previous_count: before,
    items: Type.Array(Type.Object({ ...named, verdict: oneOf(OUTCOME_VERDICTS), observation: ownText() })),
  }),
  /** Bound metrics with a point in the time; absent in older reviews. */
  metric_count: before,
  metrics: Type.Array(
    Type.Object({
      name: ownText(),
      node: ownText(),
      node_id: Type.Optional(Type.String()),
      direction: oneOf(METRIC_DIRECTIONS),
      value: Type.Number(),
      previous_value: nullable(Type.Number()),
      change: nullable(oneOf(METRIC_CHANGES)),
      target: nullable(Type.Number()),
      on_target: nullable(Type.Boolean()),
      points: Type.Optional(Type.Array(Type.Object({ occurred_at: instant, value: Type.Number() }))),
    }),
  ),
})
/** Figures of a Product Review, stored with it. Lists have the first eight entries with cut texts. */
export type ReviewFigures = Static<typeof ReviewFigures>
