import { type Static, Type } from 'typebox'
import { isReferenced } from '../../../model/references/statements.ts'
import type { ChangedObject } from '../../../model/undo/changed-rows.ts'
import type { ChangeRow } from '../../../model/undo/changes.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { shortened } from '../parts/excerpt.ts'
import { instant, nullable, uuid } from '../parts/fields.ts'

/** What a change was, and of what. */
export const ChangeShape = Type.Object({
  change_id: uuid,
  operation: Type.String(),
  action: nullable(Type.String()),
  made_at: instant,
  made_by: Type.String(),
  via: Type.String({ description: 'The app, or the key by its label.' }),
  objects: Type.Array(
    Type.Object({ kind: Type.String(), id: uuid, reference: nullable(Type.String()), name: strangersText() }),
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

/** A change in a sentence: its operation, and what it was told to do. */
export const nameOfChange = ({ operation, action }: Pick<ChangeRow, 'operation' | 'action'>): string =>
  action === null ? operation : `${operation} ${action}`
