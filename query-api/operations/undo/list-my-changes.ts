import { Type } from 'typebox'
import { blockersOf } from '../../../model/undo/blockers.ts'
import { objectsOfChanges } from '../../../model/undo/changed-rows.ts'
import { changesPage } from '../../../model/undo/changes.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, depth, limit, nullable, uuid } from '../parts/fields.ts'
import { listed, listOf, pageSize } from '../parts/listed.ts'
import { ChangeShape, toChange } from './change-shape.ts'

const LIST = 'list_my_changes'

const ListedChange = Type.Object({
  ...ChangeShape.properties,
  undoes: nullable(Type.String({ description: 'The change that this one took back.' })),
  undone_by: nullable(uuid),
  is_undoable: Type.Boolean({ description: 'Whether nothing newer stands on it.' }),
  blocked_by: nullable(Type.String({ description: 'The newer change that has to be taken back first.' })),
})
const LINE = ['change_id', 'operation', 'objects', 'is_undoable'] as const

export const listMyChanges = readOperation({
  name: LIST,
  title: 'What I changed',
  summary:
    'Lists what this key changed (in the app: what you changed there) in the last 90 days, the newest first, each with the change_id that service_decide mode undo takes, and whether it was taken back or still can be.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ depth, limit, cursor }),
  output: Type.Object({
    count: Type.Integer(),
    items: listOf(ListedChange, LINE),
  }),
  run: (input, { read, services, caller }) =>
    read(async transaction => {
      const position = decodeCursor(LIST, input.cursor, services.now())
      const most = pageSize(input)
      const { count, rows } = await changesPage(transaction, caller, { ...position, limit: most })
      const ids = rows.map(({ id }) => id)
      const objects = await objectsOfChanges(transaction, ids)
      const blockers = await blockersOf(
        transaction,
        rows.flatMap(({ id, undone_by }) => (undone_by === null ? [id] : [])),
      )
      const all = rows.map(row => {
        const blocked_by = blockers.get(row.id)?.id ?? null
        return {
          ...toChange(row, objects.get(row.id) ?? []),
          undoes: row.undoes,
          undone_by: row.undone_by,
          is_undoable: row.undone_by === null && blocked_by === null && !(row.for_people && caller.via.kind === 'key'),
          blocked_by,
        }
      })
      const { items, note } = listed(input, all, { line: LINE })
      return { data: { count, items }, note, nextCursor: nextCursor(LIST, position, items.length, count) }
    }),
})
