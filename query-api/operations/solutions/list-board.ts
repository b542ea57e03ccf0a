import { type BoardRow, boardCount, boardPage } from '../../../model/board/order.ts'
import { lastChangesOf } from '../../../model/decisions/read-decisions.ts'
import { membersOf } from '../../../model/groups/groups.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { SOLUTION_TRANSITIONS } from '../../../model/solutions/states.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { reference, SOLUTION_STATES, type SolutionState } from '../../../schemas/domain/vocabulary.ts'
import { signCursor } from '../call/cursor.ts'
import { DecisionShape, toDecision } from '../decisions/decision.ts'
import { readOperation, type Static, type Transaction, Type } from '../define.ts'
import { cursor, DEFAULT_LIMIT, identifier, limit, nullable, oneOf, uuid } from '../parts/fields.ts'
import { decodeCursor, nextCursor, type Position } from '../parts/lists.ts'
import { actorCount, Owner, ownerFilter, ownerId } from '../parts/people.ts'

const Card = Type.Object({
  id: uuid,
  reference: Type.String(),
  title: ownText(),
  state: oneOf(SOLUTION_STATES),
  manual_rank: nullable(Type.Integer()),
  score: Type.Number(),
  actors: actorCount,
  owner: Owner,
  transitions: Type.Array(Type.Object({ to: oneOf(SOLUTION_STATES), made_by: oneOf(['update_solution', 'handoff']) }), {
    description: 'The moves that it may make.',
  }),
  decision: nullable(Type.With(DecisionShape, { description: 'By which it is in its state.' })),
  version: Type.Integer(),
})
type Card = Static<typeof Card>

const STATEMENT_CHARACTERS = 200

/** The Decision behind each Solution's state: the last valid one that moved it, else the one that created it. */
const decisionsOf = async (transaction: Transaction, rows: readonly BoardRow[]) => {
  const ids = rows.map(({ id }) => id)
  const moved = await lastChangesOf(transaction, 'solution', ids, 'state', { stands: true })
  const made = await lastChangesOf(
    transaction,
    'solution',
    ids.filter(id => !moved.has(id)),
    'created',
  )
  return new Map([...made, ...moved])
}

const toCards = async (transaction: Transaction, rows: readonly BoardRow[]): Promise<Card[]> => {
  const decisions = await decisionsOf(transaction, rows)
  return rows.map(({ id, number, title, state, manual_rank, score, actors, owner, version }) => {
    const decision = decisions.get(id)
    return {
      id,
      reference: reference('solution', number),
      title,
      state,
      manual_rank,
      score,
      actors,
      owner,
      transitions: SOLUTION_STATES.flatMap(to => {
        const mover = SOLUTION_TRANSITIONS[state][to]
        return mover === undefined ? [] : [{ to, made_by: mover }]
      }),
      decision: decision === undefined ? null : toDecision(decision, STATEMENT_CHARACTERS),
      version,
    }
  })
}

interface Filter {
  /** Only these Solutions, and only of this owner; all of them by default. */
  readonly among: readonly string[] | undefined
  readonly owner: string | undefined
  readonly limit: number
}

/** A page of a column from `position` on, the column's count, and the next cursor. */
const readColumn = async (transaction: Transaction, state: SolutionState, position: Position, filter: Filter) => {
  const states = [state]
  const count = await boardCount(transaction, states, filter.among, filter.owner)
  const page = { states, ...filter, offset: position.offset }
  const rows = count > position.offset ? await boardPage(transaction, position.at, page) : []
  return { state, count, rows, nextCursor: nextCursor(listOf(state), position, rows.length, count) }
}

/** Name of the list in a column's cursors. */
const listOf = (state: SolutionState | undefined): string => `board ${state ?? 'columns'}`

const Column = Type.Object({
  state: oneOf(SOLUTION_STATES),
  count: Type.Integer(),
  next_cursor: nullable(Type.String({ description: 'Goes on with this column, sent with its state.' })),
})

export const listBoard = readOperation({
  name: 'list_board',
  title: 'The columns of the board',
  summary:
    'Lists the Solutions of each state, or of one, in board order, each with the Decision by which it is there, the moves that it may make, and who looks after it. The limit is that of a column. Pages of a column go on as of the moment of the first.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    state: Type.Optional(Type.With(oneOf(SOLUTION_STATES), { description: 'Only this column. Default: every one.' })),
    group_id: Type.Optional(Type.With(identifier, { description: 'Only of this group. A UUID or exact name.' })),
    owner: ownerFilter,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer(), columns: Type.Array(Column), items: Type.Array(Card) }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const position = decodeCursor(listOf(input.state), input.cursor, services.now())
      const group = input.group_id === undefined ? undefined : await resolveOne(transaction, 'group', input.group_id)
      const among = group === undefined ? undefined : await membersOf(transaction, group.id)
      const owner = await ownerId(transaction, caller, input.owner)
      const filter = { among, owner, limit: input.limit ?? DEFAULT_LIMIT }
      const pages: Awaited<ReturnType<typeof readColumn>>[] = []
      for (const state of input.state === undefined ? SOLUTION_STATES : [input.state])
        pages.push(await readColumn(transaction, state, position, filter))
      const items = await toCards(
        transaction,
        pages.flatMap(({ rows }) => rows),
      )
      const goOn = (state: SolutionState, cursor: string | null) =>
        cursor && signCursor({ name: 'list_board' }, caller, { ...input, state }, cursor)
      const columns = pages.map(({ state, count, nextCursor: next }) => ({
        state,
        count,
        next_cursor: goOn(state, next),
      }))
      const count = columns.reduce((sum, column) => sum + column.count, 0)
      return {
        data: { count, columns, items },
        nextCursor: input.state === undefined ? null : (pages[0]?.nextCursor ?? null),
      }
    }),
})
