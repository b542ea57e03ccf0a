import { nameOfSource } from '../../../model/erasures/find-signals.ts'
import { closeSource } from '../../../model/sources/sources.ts'
import type { SourceId } from '../../../schemas/domain/ids.ts'
import { Type, writeOperation } from '../define.ts'
import { uuid } from '../parts/fields.ts'
import { noSource } from '../sources/source.ts'
import { beginErasure, confirmation, ErasureShape, requireConfirmation } from './erasure.ts'

export const eraseSource = writeOperation({
  name: 'erase_source',
  title: 'Erase a source with its Signals',
  summary:
    'Closes a source for good and starts to erase every Signal and repeat that came through it. A source that was deleted before can be erased, too.',
  effect: 'destructive',
  units: 10,
  role: 'owner',
  audience: 'people',
  cannotBeUndone: 'What was erased is nowhere any more.',
  input: Type.Object({ id: Type.With(uuid, { description: 'The source.' }), confirm: confirmation }),
  output: ErasureShape,
  apply: async ({ id, confirm }, transaction, context) => {
    const name = (await nameOfSource(transaction, id)) ?? noSource(id)
    await requireConfirmation(transaction, context, confirm)
    await closeSource(transaction, context.caller.workspaceId, id)
    const sought = { what: 'source', sourceId: id as SourceId } as const
    return { data: await beginErasure(transaction, context, sought, name) }
  },
})
