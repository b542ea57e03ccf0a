import { type Static, Type } from 'typebox'
import type { BoardRow } from '../../../model/board/order.ts'
import { reference, SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { cut, excerpt } from './excerpt.ts'
import { instant, nullable, oneOf, uuid } from './fields.ts'
import { Owner } from './owner-shape.ts'

/** A Solution as the board shows it. */
export const SolutionShape = Type.Object({
  id: uuid,
  reference: Type.String(),
  title: Type.String(),
  text: Type.String({ description: 'The summary.' }),
  text_truncation: cut,
  state: oneOf(SOLUTION_STATES),
  manual_rank: nullable(Type.Integer({ description: 'Comes before everything without one.' })),
  priority_boost: Type.Number(),
  evidence_priority: Type.Number({ description: 'Sum over the actors behind it of ln(1 + their weight).' }),
  score: Type.Number({ description: 'evidence_priority times priority_boost: the order of what has no manual_rank.' }),
  actors: Type.Integer(),
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
