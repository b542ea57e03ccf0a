import { resolveAmong } from '../../../model/references/resolve.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { Type, writeOperation } from '../define.ts'
import { identifier } from '../parts/fields.ts'
import { beginErasure, confirmation, ErasureShape, requireConfirmation } from './erasure.ts'

export const eraseSignal = writeOperation({
  name: 'erase_signal',
  title: 'Erase a Signal',
  summary:
    'Starts to erase one Signal with everything that hangs on it. The oldest repeat that somebody else sent takes its place.',
  effect: 'destructive',
  units: 10,
  role: 'owner',
  audience: 'people',
  cannotBeUndone: 'What was erased is nowhere any more.',
  input: Type.Object({ id: identifier, confirm: confirmation }),
  output: ErasureShape,
  apply: async ({ id, confirm }, transaction, context) => {
    const signal = await resolveAmong(transaction, ['signal'], id)
    await requireConfirmation(transaction, context, confirm)
    const sought = { what: 'signal', signalId: signal.id as SignalId } as const
    return { data: await beginErasure(transaction, context, sought, signal.reference ?? '') }
  },
})
