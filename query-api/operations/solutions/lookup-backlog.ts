import { readPriorityTerms } from '../../../model/board/explain.ts'
import { type BoardRow, boardCount, boardPage } from '../../../model/board/order.ts'
import { membersOf } from '../../../model/groups/groups.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { MAX_LIMIT } from '../../../schemas/domain/limits.ts'
import { SOLUTION_STATES, type SolutionState } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Static, type Transaction, Type } from '../define.ts'
import { cursor, type Depth, identifier, limit, listDepth, oneOf } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ownerFilter, ownerId } from '../parts/people.ts'
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

export const BOARD_LINE = [
  'reference',
  'title',
  'state',
  'board_position',
  'evidence_priority',
  'signals',
  'actors',
] as const

/** Most items of a page: explanations read many rows, so their pages are short. */
export const MAX_ITEMS: Readonly<Record<Depth, number>> = { summary: MAX_LIMIT, standard: MAX_LIMIT, full: 10 }

const EXPLAINED = { actors: 5, signalsAnActor: 3 }

const rounded = (value: number): number => Number(value.toPrecision(4))

const whyHere = ({ manual_rank, evidence_priority, priority_boost, score, actors }: BoardRow): string => {
  if (manual_rank !== null) return `Ranked ${manual_rank} by hand, before all without a rank.`
  if (score === 0) return 'No evidence: by age, behind all with evidence.'
  const evidence = `${rounded(evidence_priority)} from ${actors} ${actors === 1 ? 'actor' : 'actors'}`
  return `Evidence ${evidence}, times boost ${rounded(priority_boost)}, is ${rounded(score)}.`
}

/** Consecutive rows from `position` on. `full` explains each term; `service_lookup` mode `solution` has all of them. */
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

const membersOfNamed = async (transaction: Transaction, group: string | undefined) =>
  group === undefined ? undefined : membersOf(transaction, (await resolveOne(transaction, 'group', group)).id)

export const lookupBacklog = readOperation({
  name: 'lookup_backlog',
  title: 'The Backlog in board order',
  summary:
    'Lists Solutions in board order: those with a manual_rank first, then by evidence_priority times priority_boost, then by age; of one state or several (default Backlog), of one group or all. Each says what places it; depth full explains every term: actors and the shares of their signals (at most 10 a page; whole in service_lookup mode solution). Pages go on as of the moment of the first.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  omittedFields: ['owner'],
  input: Type.Object({
    states: Type.Optional(
      Type.Array(oneOf(SOLUTION_STATES), { minItems: 1, uniqueItems: true, description: 'Default Backlog.' }),
    ),
    group_id: Type.Optional(Type.With(identifier, { description: 'Only of this group. A UUID or exact name.' })),
    owner: ownerFilter,
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer(), items: listOf(BoardItem, BOARD_LINE) }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const chosen = input.depth ?? 'standard'
      const position = decodeCursor('backlog', input.cursor, services.now())
      const states: readonly SolutionState[] = input.states ?? ['Backlog']
      const most = Math.min(pageSize(input), MAX_ITEMS[chosen])
      const among = await membersOfNamed(transaction, input.group_id)
      const owner = await ownerId(transaction, caller, input.owner)
      const count = await boardCount(transaction, states, among, owner)
      const page = { states, among, owner, limit: most, offset: position.offset }
      const rows = await boardPage(transaction, position.at, page)
      const place = position.offset + 1
      const shown = await toBoardItems(transaction, position.at, rows, { position: place, depth: chosen })
      const { items, note } = listed(input, shown, { line: BOARD_LINE })
      return { data: { count, items }, note, nextCursor: nextCursor('backlog', position, items.length, count) }
    }),
})
