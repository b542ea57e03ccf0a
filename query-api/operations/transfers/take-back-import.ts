import { leftSomething } from '../../../model/transfers/signals/imported-edits.ts'
import { setTakenBack } from '../../../model/transfers/transfers.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { beginErasure, confirmation, requireConfirmation } from '../erasures/erasure.ts'
import { uuid } from '../parts/fields.ts'
import { importedSignals, readTransfer, TransferShape, transferShape } from './transfer.ts'

export const takeBackImport = writeOperation({
  name: 'take_back_import',
  title: 'Take an import back',
  summary:
    'Starts to erase every Signal and repeat that an import brought, with everything that hangs on them; preview_take_back says what that is. Signals that it edited say again what they said before, where nothing has changed them since. The same file can be imported again afterwards.',
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
      if (!(await leftSomething(transaction, transfer.id))) {
        throw new AssayError(
          'conflict',
          'There is nothing to take back: this import brought no Signal that is here, and edited none. Nothing was changed.',
        )
      }
      await requireConfirmation(transaction, context, confirm)
      await beginErasure(transaction, context, { what: 'import', transferId: transfer.id }, '')
      await setTakenBack(transaction, transfer.id, context.services.now())
    }
    return { data: transferShape(await readTransfer(transaction, id)) }
  },
})
