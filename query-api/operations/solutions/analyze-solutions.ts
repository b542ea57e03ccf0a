import { type BoardRow, boardPage } from '../../../model/board/order.ts'
import { verdictsOf } from '../../../model/outcomes/outcomes.ts'
import {
  STUCK_AFTER_DAYS,
  stateTotals,
  stuckFirst,
  type TimeInState,
  timesInState,
} from '../../../model/solutions/states.ts'
import { counted } from '../../../schemas/domain/for-people.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { reference, SOLUTION_STATES, type SolutionState } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Transaction, Type, throwDeleted } from '../define.ts'
import { cursor, instant, limit, listDepth, nullable, oneOf, uuid } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { actorCount } from '../parts/people.ts'

const ORDERS = ['board', 'stuck'] as const

const ComparedSolution = Type.Object({
  id: uuid,
  reference: Type.String(),
  title: ownText(),
  state: oneOf(SOLUTION_STATES),
  in_state_since: instant,
  days_in_state: Type.Number(),
  stuck: Type.Boolean({
    description: `Longer than usual in its state: ${Object.entries(STUCK_AFTER_DAYS)
      .map(([state, days]) => `${counted(days, 'day')} in ${state}`)
      .join(', ')}.`,
  }),
  manual_rank: nullable(Type.Integer()),
  priority_boost: Type.Number(),
  evidence_priority: Type.Number(),
  score: Type.Number(),
  actors: actorCount,
  signals: Type.Integer({ description: 'Signals and their repeats.' }),
  claims: Type.Integer(),
  outcome: nullable(Type.String({ description: 'The verdict of its Outcome.' })),
})

const LINE = ['reference', 'title', 'state', 'days_in_state', 'stuck', 'signals', 'actors'] as const

interface Page {
  readonly states: readonly SolutionState[]
  readonly limit: number
  readonly offset: number
}

/** A page in the requested order: each Solution's place on the board, and its time in state. */
const pageOf = async (
  transaction: Transaction,
  at: Date,
  order: (typeof ORDERS)[number],
  page: Page,
): Promise<readonly (readonly [BoardRow, TimeInState])[]> => {
  if (order === 'board') {
    const rows = await boardPage(transaction, at, page)
    const times = await timesInState(
      transaction,
      at,
      rows.map(({ id }) => id),
    )
    // A Solution that was created after the first page did not exist at that moment.
    return rows.map(
      row => [row, times.get(row.id) ?? { ...row, since: row.created_at, days: 0, stuck: false }] as const,
    )
  }
  const times = await stuckFirst(transaction, at, page)
  const among = times.map(({ id }) => id)
  const rows = await boardPage(transaction, at, { states: SOLUTION_STATES, among, limit: page.limit, offset: 0 })
  const placed = new Map(rows.map(row => [row.id, row]))
  return times.map(time => [placed.get(time.id) ?? throwDeleted('Solution'), time] as const)
}

export const analyzeSolutions = readOperation({
  name: 'analyze_solutions',
  title: 'Compare the Solutions',
  summary:
    'Compares all Solutions: state and how long it has been so, the evidence, actors and claims behind each, and the verdict of its Outcome; with totals by state. order_by board (default) or stuck: those first that have been in Planned, In Progress or In Review the longest over what is usual.',
  units: 5,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    states: Type.Optional(
      Type.Array(oneOf(SOLUTION_STATES), { minItems: 1, uniqueItems: true, description: 'Default all states.' }),
    ),
    order_by: Type.Optional(oneOf(ORDERS, { description: 'Default board.' })),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    groups: Type.Array(
      Type.Object({ state: oneOf(SOLUTION_STATES), solutions: Type.Integer(), stuck: Type.Integer() }),
    ),
    items: listOf(ComparedSolution, LINE),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const order = input.order_by ?? 'board'
      const position = decodeCursor(`solutions_${order}`, input.cursor, services.now())
      const states = input.states ?? SOLUTION_STATES
      const totals = await stateTotals(transaction, position.at)
      const groups = SOLUTION_STATES.filter(state => states.includes(state)).flatMap(state =>
        totals.filter(total => total.state === state),
      )
      const count = groups.reduce((sum, { solutions }) => sum + solutions, 0)
      const page = { states, limit: pageSize(input), offset: position.offset }
      const rows = await pageOf(transaction, position.at, order, page)
      const verdicts = await verdictsOf(
        transaction,
        rows.map(([{ id }]) => id),
      )
      const compared = rows.map(([row, { since, days, stuck, state }]) => ({
        id: row.id,
        reference: reference('solution', row.number),
        title: row.title,
        state,
        in_state_since: since.toISOString(),
        days_in_state: Math.round(days * 10) / 10,
        stuck,
        manual_rank: row.manual_rank,
        priority_boost: row.priority_boost,
        evidence_priority: row.evidence_priority,
        score: row.score,
        actors: row.actors,
        signals: row.signals,
        claims: row.claims,
        outcome: verdicts.get(row.id) ?? null,
      }))
      const { items, note } = listed(input, compared, { line: LINE })
      return {
        data: { count, groups, items },
        note,
        nextCursor: nextCursor(`solutions_${order}`, position, items.length, count),
      }
    }),
})
