import { setTakenBack } from '../../../model/transfers/transfers.ts'
import { Type, writeOperation } from '../define.ts'
import { beginErasure, confirmation, requireConfirmation } from '../erasures/erasure.ts'
import { uuid } from '../parts/fields.ts'
import { importedSignals, readTransfer, TransferShape, transferShape } from './transfer.ts'

export const takeBackImport = writeOperation({
  name: 'take_back_import',
  title: 'Take an import back',
  summary:
    'Starts to erase every Signal and repeat that an import brought, with everything that hangs on them; preview_take_back says what that is. What it edited stays edited. The same file can be imported again afterwards.',
  effect: 'destructive',
  units: 10,
  role: 'owner',
  audience: 'people',
  cannotBeUndone: 'Import the file again: its Signals are new then.',
  input: Type.Object({ id: uuid, confirm: confirmation }),
  output: TransferShape,
  apply: async ({ id, confirm }, transaction, context) => {
    const transfer = await importedSignals(transaction, id)
    if (transfer.taken_back_at === null) {
      await requireConfirmation(transaction, context, confirm)
      await beginErasure(transaction, context, { what: 'import', transferId: transfer.id }, '')
      await setTakenBack(transaction, transfer.id, context.services.now())
    }
    return { data: transferShape(await readTransfer(transaction, id)) }
  },
})
