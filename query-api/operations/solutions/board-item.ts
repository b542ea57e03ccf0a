import { readPriorityTerms } from '../../../model/board/explain.ts'
import type { BoardRow } from '../../../model/board/order.ts'
import { type Static, type Transaction, Type } from '../define.ts'
import { type Depth, MAX_LIMIT } from '../parts/fields.ts'
import { ExplanationShape, SolutionShape, toExplanation, toSolution } from './solution.ts'

const brief = ['id', 'reference', 'title', 'state', 'manual_rank', 'priority_boost', 'evidence_priority'] as const

/** A Solution at its place in a list in board order. */
export const BoardItem = Type.Intersect([
  Type.Pick(SolutionShape, brief),
  Type.Partial(Type.Omit(SolutionShape, brief)),
  Type.Object({
    board_position: Type.Integer({ description: 'In this list: 1 stands first.' }),
    score_explanation: Type.String({ description: 'What places it, in a sentence.' }),
    explanation: Type.Optional(ExplanationShape),
  }),
])
export type BoardItem = Static<typeof BoardItem>

export const BOARD_LINE = ['reference', 'title', 'state', 'board_position', 'evidence_priority'] as const

/** How many a page may hold: one of explanations reads a lot, so it is short. */
export const MAX_ITEMS: Readonly<Record<Depth, number>> = { summary: MAX_LIMIT, standard: MAX_LIMIT, full: 10 }

const EXPLAINED = { actors: 5, signalsAnActor: 3 }

const rounded = (value: number): number => Number(value.toPrecision(4))

const whyHere = ({ manual_rank, evidence_priority, priority_boost, score, actors }: BoardRow): string => {
  if (manual_rank !== null) return `Ranked ${manual_rank} by hand, before all without a rank.`
  if (score === 0) return 'No evidence: by age, behind all with evidence.'
  const evidence = `${rounded(evidence_priority)} from ${actors} ${actors === 1 ? 'actor' : 'actors'}`
  return `Evidence ${evidence}, times boost ${rounded(priority_boost)}, is ${rounded(score)}.`
}

/** Rows that follow each other, from `position` on. `full` explains each term; all of them are in `service_lookup` mode `solution`. */
export const toBoardItems = async (
  transaction: Transaction,
  at: Date,
  rows: readonly BoardRow[],
  { position, depth }: { readonly position: number; readonly depth: Depth },
): Promise<BoardItem[]> => {
  const items: BoardItem[] = []
  for (const [index, row] of rows.entries()) {
    const placed = { board_position: position + index, score_explanation: whyHere(row) }
    const { id, reference, title, state, manual_rank, priority_boost, evidence_priority, ...rest } = toSolution(row)
    const shown = { id, reference, state, manual_rank, priority_boost, evidence_priority, ...placed }
    if (depth !== 'full') items.push({ ...shown, title, ...rest })
    else {
      const explained = await readPriorityTerms(transaction, at, id, EXPLAINED.actors)
      const explanation = toExplanation(explained, EXPLAINED.signalsAnActor)
      items.push({ ...shown, title, ...rest, explanation })
    }
  }
  return items
}
