import { boardPage } from '../../../model/board/order.ts'
import { type GroupRow, listGroups, membersOf, readGroup } from '../../../model/groups/groups.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Static, type Transaction, Type } from '../define.ts'
import { cursor, type Depth, identifier, instant, limit, listDepth, nullable, oneOf, uuid } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { BOARD_LINE, BoardItem, MAX_ITEMS, toBoardItems } from '../solutions/lookup-backlog.ts'

export const GroupShape = Type.Object({
  id: uuid,
  name: ownText(),
  solutions: Type.Integer({ description: 'How many it has.' }),
  by_state: Type.Array(Type.Object({ state: oneOf(SOLUTION_STATES), solutions: Type.Integer() }), {
    description: 'How many of them are in each state.',
  }),
  created_at: instant,
  updated_at: instant,
  version: Type.Integer({ description: 'Send it with a write, so that nobody else’s change is lost.' }),
})
export type GroupShape = Static<typeof GroupShape>

export const toGroup = (row: GroupRow): GroupShape => ({
  ...row,
  by_state: [...row.by_state],
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const GROUP_LINE = ['name', 'solutions'] as const

interface Page {
  /** The request, which determines `limit`. */
  readonly input: { readonly depth?: Depth; readonly limit?: number }
  readonly depth: Depth
  readonly limit: number
  readonly offset: number
  readonly at: Date
}

const list = async (transaction: Transaction, page: Page) => {
  const { count, groups } = await listGroups(transaction, page)
  return { group: null, count, ...listed(page.input, groups.map(toGroup), { line: GROUP_LINE }) }
}

const one = async (transaction: Transaction, id: string, { at, offset, ...page }: Page) => {
  const group = await readGroup(transaction, id)
  const among = await membersOf(transaction, group.id)
  const rows = await boardPage(transaction, at, { states: SOLUTION_STATES, among, limit: page.limit, offset })
  const items = await toBoardItems(transaction, at, rows, { position: offset + 1, depth: page.depth })
  return { group: toGroup(group), count: among.length, ...listed(page.input, items, { line: BOARD_LINE }) }
}

export const lookupGroup = readOperation({
  name: 'lookup_group',
  title: 'A group and its Solutions, or the groups',
  summary:
    'With id (UUID or exact name), answers that group with its Solutions in every state, in board order; without, lists the groups by name. service_decide mode group changes them.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    id: Type.Optional(Type.With(identifier, { description: 'The group; all without. A UUID or exact name.' })),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    group: nullable(GroupShape),
    count: Type.Integer({ description: 'Items in all.' }),
    items: listOf(Type.Union([GroupShape, BoardItem]), [...BOARD_LINE, ...GROUP_LINE], {
      description: 'The Solutions of the group; the groups when none was named.',
    }),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const id = input.id === undefined ? null : (await resolveOne(transaction, 'group', input.id)).id
      const name = id === null ? 'groups' : `group ${id}`
      const position = decodeCursor(name, input.cursor, services.now())
      const chosen = input.depth ?? 'standard'
      const page = { ...position, input, depth: chosen, limit: Math.min(pageSize(input), MAX_ITEMS[chosen]) }
      const { note, ...data } = id === null ? await list(transaction, page) : await one(transaction, id, page)
      return { data, note, nextCursor: nextCursor(name, position, data.items.length, data.count) }
    }),
})
