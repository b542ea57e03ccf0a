import { type Static, Type } from 'typebox'
import type { Explanation } from '../../../model/board/explain.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { nullable } from './fields.ts'

/** Why a Solution has its evidence priority: a term for each actor, with the share of each of their signals. */
export const ExplanationShape = Type.Object({
  actors: Type.Integer({ description: 'All actors; terms holds the heaviest.' }),
  terms: Type.Array(
    Type.Object({
      actor_name: nullable(strangersText()),
      source: nullable(strangersText()),
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

/** `signalsAnActor` are shown of each term, the heaviest first. */
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
