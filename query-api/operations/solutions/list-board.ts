import { type BoardRow, boardCount, boardPage } from '../../../model/board/order.ts'
import { lastChangesOf } from '../../../model/decisions/read-decisions.ts'
import { membersOf } from '../../../model/groups/groups.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { SOLUTION_TRANSITIONS } from '../../../model/solutions/states.ts'
import { reference, SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { DecisionShape, toDecision } from '../decisions/decision.ts'
import { readOperation, type Static, type Transaction, Type } from '../define.ts'
import { cursor, DEFAULT_LIMIT, identifier, limit, nullable, oneOf, uuid } from '../parts/fields.ts'
import { decodeCursor, nextCursor } from '../parts/lists.ts'
import { Owner, ownerFilter, ownerId } from '../parts/people.ts'

const Card = Type.Object({
  id: uuid,
  reference: Type.String(),
  title: Type.String(),
  state: oneOf(SOLUTION_STATES),
  manual_rank: nullable(Type.Integer()),
  score: Type.Number(),
  actors: Type.Integer(),
  owner: Owner,
  transitions: Type.Array(Type.Object({ to: oneOf(SOLUTION_STATES), made_by: oneOf(['update_solution', 'handoff']) }), {
    description: 'The moves that it may make.',
  }),
  decision: nullable(Type.With(DecisionShape, { description: 'By which it is in its state.' })),
  version: Type.Integer(),
})
type Card = Static<typeof Card>

const STATEMENT_CHARACTERS = 200

/** By which Decision each is in its state: the last that moved it and stands, else the one that made it. */
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

export const listBoard = readOperation({
  name: 'list_board',
  title: 'A column of the board',
  summary:
    'Lists the Solutions of one state in board order, each with the Decision by which it is there, the moves that it may make, and who looks after it. Pages go on as of the moment of the first.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    state: oneOf(SOLUTION_STATES),
    group_id: Type.Optional(Type.With(identifier, { description: 'Only of this group. A UUID or exact name.' })),
    owner: ownerFilter,
    limit,
    cursor,
  }),
  output: Type.Object({ count: Type.Integer(), items: Type.Array(Card) }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const list = `board ${input.state}`
      const position = decodeCursor(list, input.cursor, services.now())
      const states = [input.state]
      const group = input.group_id === undefined ? undefined : await resolveOne(transaction, 'group', input.group_id)
      const among = group === undefined ? undefined : await membersOf(transaction, group.id)
      const owner = await ownerId(transaction, caller, input.owner)
      const count = await boardCount(transaction, states, among, owner)
      const page = { states, among, owner, limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }
      const items = await toCards(transaction, await boardPage(transaction, position.at, page))
      return { data: { count, items }, nextCursor: nextCursor(list, position, items.length, count) }
    }),
})
