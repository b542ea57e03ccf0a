import type { Explanation } from '../../../model/board/explain.ts'
import { type BoardRow, boardRow } from '../../../model/board/order.ts'
import type { ConnectedHandoff } from '../../../model/handoffs/handoffs.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { SolutionId } from '../../../schemas/domain/ids.ts'
import { BOOST, MAX_CHARACTERS, MAX_REFERENCES } from '../../../schemas/domain/limits.ts'
import { OWN_WORDS, ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { HANDOFF_KINDS, reference, SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { DecisionBasis } from '../decisions/decision.ts'
import { type Static, type Transaction, Type, throwDeleted } from '../define.ts'
import { cut, excerpt } from '../parts/excerpt.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'
import { actorCount, authorFields, Owner } from '../parts/people.ts'

/** A Solution as the board shows it. */
export const SolutionShape = Type.Object({
  id: uuid,
  reference: Type.String(),
  title: ownText(),
  text: ownText({ description: 'The summary.' }),
  text_truncation: cut,
  state: oneOf(SOLUTION_STATES),
  manual_rank: nullable(Type.Integer({ description: 'Comes before everything without one.' })),
  priority_boost: Type.Number(),
  evidence_priority: Type.Number({ description: 'Sum over the actors behind it of ln(1 + their weight).' }),
  score: Type.Number({ description: 'evidence_priority times priority_boost: the order of what has no manual_rank.' }),
  actors: actorCount,
  signals: Type.Integer({ description: 'Signals and their repeats.' }),
  claims: Type.Integer({ description: 'Claims that it answers.' }),
  owner: Owner,
  created_at: instant,
  updated_at: instant,
  version: Type.Integer({ description: 'Send it with a write, so that nobody else’s change is lost.' }),
})
export type SolutionShape = Static<typeof SolutionShape>

const SUMMARY_CHARACTERS = 280

/** With the beginning of its summary. */
export const toSolution = (row: BoardRow): SolutionShape => {
  const { number, summary, created_at, updated_at, ...rest } = row
  const name = reference('solution', number)
  return {
    ...rest,
    reference: name,
    ...excerpt(summary, SUMMARY_CHARACTERS, `service_lookup mode solution, id ${name}, depth full`),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

/** Explanation of a Solution's evidence priority: a term for each actor, with the share of each of their signals. */
export const ExplanationShape = Type.Object({
  actors: Type.Integer({ description: 'All actors; terms holds the heaviest.' }),
  terms: Type.Array(
    Type.Object({
      actor_name: nullable(untrustedText()),
      source: nullable(untrustedText()),
      weight: Type.Number(),
      term: Type.Number({ description: 'ln(1 + weight): its part of evidence_priority.' }),
      signals: Type.Array(
        Type.Object({
          signal: Type.String(),
          weight: Type.Number(),
          share: Type.Number({ description: '0 to 1, of the whole evidence_priority.' }),
        }),
        { description: 'The heaviest; a look-up of the Solution has them with depth full.' },
      ),
    }),
  ),
})
export type ExplanationShape = Static<typeof ExplanationShape>

/** Shows `signalsAnActor` signals of each term, heaviest first. */
export const toExplanation = (
  { actors, terms }: Explanation,
  signalsAnActor = Number.POSITIVE_INFINITY,
): ExplanationShape => ({
  actors,
  terms: terms.map(({ actor_name, source, weight, term, signals }) => ({
    actor_name,
    source,
    weight,
    term,
    signals: signals
      .slice(0, signalsAnActor)
      .map(({ signal_number, weight, share }) => ({ signal: reference('signal', signal_number), weight, share })),
  })),
})

/** Fields of a Solution that several modes set. */

export const title = Type.String({
  minLength: 1,
  maxLength: MAX_CHARACTERS.title,
  pattern: '\\S',
  description: 'Its title.',
})

export const summary = Type.String({
  maxLength: MAX_CHARACTERS.solutionSummary,
  description: 'In Markdown.',
})

export const priorityBoost = Type.Number({
  minimum: BOOST.min,
  maximum: BOOST.max,
  description: 'Factor of the evidence priority, 0.1 to 10. Neutral is 1.',
})

export const manualRank = Type.Integer({ minimum: 1, maximum: 100_000, description: '1 stands first.' })

const figure = Type.Optional(nullable(Type.Number({ minimum: 0, maximum: 1e12 })))

export const rice = Type.Object(
  { reach: figure, impact: figure, confidence: figure, effort: figure },
  { minProperties: 1, description: 'Legacy, for audit; never ranks. A null clears one figure.' },
)

export const solutionId = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'The Solution. A UUID, reference such as SOL-12, or exact title.',
})

export const claimIds = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: MAX_REFERENCES, description }),
  )

/** The Solutions of the identifiers, without duplicates. An unknown or ambiguous one refuses all of them. */
export const resolveSolutions = async (
  transaction: Transaction,
  identifiers: readonly string[] | undefined,
): Promise<SolutionId[]> => {
  const ids = new Set<SolutionId>()
  for (const identifier of identifiers ?? []) {
    // Resolved as a Solution.
    ids.add((await resolveOne(transaction, 'solution', identifier)).id as SolutionId)
  }
  return [...ids]
}

/** Answer of a write on a Solution: its present state, the changes, and their Decision. */
export const ChangedSolution = Type.Object({
  solution: SolutionShape,
  changed: Type.Record(Type.String(), Type.Unknown(), {
    $comment: OWN_WORDS,
    description: 'Each changed field, from and to.',
  }),
  decision: DecisionBasis,
})

export const changedSolution = async (
  transaction: Transaction,
  now: Date,
  id: string,
  changed: Readonly<Record<string, unknown>>,
  decision: DecisionBasis,
): Promise<Static<typeof ChangedSolution>> => ({
  solution: toSolution((await boardRow(transaction, now, id)) ?? throwDeleted('Solution')),
  changed: { ...changed },
  decision,
})

/** A design or pull request of a Solution's handoff. */
export const HandoffShape = Type.Object({
  kind: oneOf(HANDOFF_KINDS),
  url: ownText(),
  pull_request: nullable(
    Type.Object(
      { repository: untrustedText(), number: Type.Integer(), state: Type.String() },
      { description: 'The proposal that it confirmed, with what was last heard of it.' },
    ),
  ),
  decision: Type.String(),
  ...authorFields,
  handed_off_at: instant,
  withdrawn_at: nullable(instant),
})
export type HandoffShape = Static<typeof HandoffShape>

export const toHandoff = ({
  id: _,
  decision,
  handed_off_at,
  withdrawn_at,
  ...rest
}: ConnectedHandoff): HandoffShape => ({
  ...rest,
  decision: reference('decision', decision),
  handed_off_at: handed_off_at.toISOString(),
  withdrawn_at: withdrawn_at?.toISOString() ?? null,
})
