import { isReferenced } from '../../../model/references/statements.ts'
import { blockersOf } from '../../../model/undo/blockers.ts'
import { type ChangedObject, objectsOfChanges } from '../../../model/undo/changed-rows.ts'
import { type ChangeRow, changesPage } from '../../../model/undo/changes.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Static, Type } from '../define.ts'
import { shortened } from '../parts/excerpt.ts'
import { cursor, instant, limit, listDepth, nullable, uuid } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'

/** A change and its objects. */
export const ChangeShape = Type.Object({
  change_id: uuid,
  operation: Type.String(),
  action: nullable(Type.String()),
  made_at: instant,
  made_by: Type.String(),
  via: Type.String({ description: 'The app, or the key by its label.' }),
  objects: Type.Array(
    Type.Object({ kind: Type.String(), id: uuid, reference: nullable(Type.String()), name: untrustedText() }),
  ),
  other_objects: Type.Integer({ description: 'How many more it was about.' }),
})

const MAX_OBJECTS = 5
const NAME_CHARACTERS = 80

export const toChange = (row: ChangeRow, objects: readonly ChangedObject[]): Static<typeof ChangeShape> => ({
  change_id: row.id,
  operation: row.operation,
  action: row.action,
  made_at: row.made_at.toISOString(),
  made_by: row.made_by,
  via: row.key_label === null ? 'the app' : `the key "${row.key_label}"`,
  objects: objects.slice(0, MAX_OBJECTS).map(({ kind, id, number, name }) => ({
    kind,
    id,
    reference: number !== null && isReferenced(kind) ? reference(kind, number) : null,
    name: shortened(name, NAME_CHARACTERS),
  })),
  other_objects: Math.max(0, objects.length - MAX_OBJECTS),
})

/** A change in words: its operation and action. */
export const nameOfChange = ({ operation, action }: Pick<ChangeRow, 'operation' | 'action'>): string =>
  action === null ? operation : `${operation} ${action}`

const LIST = 'list_my_changes'

const ListedChange = Type.Object({
  ...ChangeShape.properties,
  undoes: nullable(Type.String({ description: 'The change that this one took back.' })),
  undone_by: nullable(uuid),
  is_undoable: Type.Boolean({ description: 'Whether nothing newer stands on it.' }),
  blocked_by: nullable(Type.String({ description: 'The newer change that has to be taken back first.' })),
})
const LINE = [
  'change_id',
  'operation',
  'action',
  'made_at',
  'objects',
  'is_undoable',
  'undone_by',
  'blocked_by',
] as const

export const listMyChanges = readOperation({
  name: LIST,
  title: 'What I changed',
  summary:
    'Lists what this key changed (in the app: what you changed there) in the last 90 days, the newest first, each with the change_id that service_decide mode undo takes, and whether it was taken back or still can be.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ depth: listDepth, limit, cursor }),
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
