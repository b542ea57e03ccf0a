import { boardCount, boardPage } from '../../../model/board/order.ts'
import { membersOf } from '../../../model/groups/groups.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { SOLUTION_STATES, type SolutionState } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Transaction, Type } from '../define.ts'
import { cursor, depth, identifier, limit, oneOf } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ownerFilter, ownerId } from '../parts/people.ts'
import { BOARD_LINE, BoardItem, MAX_ITEMS, toBoardItems } from './board-item.ts'

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
  unlisted: ['owner'],
  input: Type.Object({
    states: Type.Optional(
      Type.Array(oneOf(SOLUTION_STATES), { minItems: 1, uniqueItems: true, description: 'Default Backlog.' }),
    ),
    group_id: Type.Optional(Type.With(identifier, { description: 'Only of this group. A UUID or exact name.' })),
    owner: ownerFilter,
    depth,
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
