import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { boardPage } from '../../../model/board/order.ts'
import { listGroups, membersOf, readGroup } from '../../../model/groups/groups.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, type Depth, depth, identifier, limit, nullable } from '../parts/fields.ts'
import { listed, listOf, pageSize } from '../parts/listed.ts'
import { BOARD_LINE, BoardItem, MAX_ITEMS, toBoardItems } from '../solutions/board-item.ts'
import { GroupShape, toGroup } from './group-shape.ts'

const GROUP_LINE = ['name', 'solutions'] as const

interface Page {
  /** What was asked for, which `limit` follows from. */
  readonly asked: { readonly depth?: Depth; readonly limit?: number }
  readonly depth: Depth
  readonly limit: number
  readonly offset: number
  readonly at: Date
}

const list = async (transaction: Transaction, page: Page) => {
  const { count, groups } = await listGroups(transaction, page)
  return { group: null, count, ...listed(page.asked, groups.map(toGroup), { line: GROUP_LINE }) }
}

const one = async (transaction: Transaction, given: string, { at, offset, ...page }: Page) => {
  const resolved = await resolveOne(transaction, 'group', given)
  const group = await readGroup(transaction, resolved.id)
  const among = await membersOf(transaction, group.id)
  const rows = await boardPage(transaction, at, { states: SOLUTION_STATES, among, limit: page.limit, offset })
  const items = await toBoardItems(transaction, at, rows, { position: offset + 1, depth: page.depth })
  return { group: toGroup(group), count: among.length, ...listed(page.asked, items, { line: BOARD_LINE }) }
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
    depth,
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
      const listed = input.id === undefined ? 'groups' : 'group'
      const position = decodeCursor(listed, input.cursor, services.now())
      const chosen = input.depth ?? 'standard'
      const page = { ...position, asked: input, depth: chosen, limit: Math.min(pageSize(input), MAX_ITEMS[chosen]) }
      const { note, ...data } =
        input.id === undefined ? await list(transaction, page) : await one(transaction, input.id, page)
      return { data, note, nextCursor: nextCursor(listed, position, data.items.length, data.count) }
    }),
})
