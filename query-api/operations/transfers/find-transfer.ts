import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import {
  findTransfer,
  findTransferWithJobs,
  hasFile,
  type Transfer,
  type TransferRow,
} from '../../../model/transfers/transfers.ts'
import type { TransferId } from '../../../schemas/domain/ids.ts'

const missing = (id: string): AssayError =>
  new AssayError(
    'not_found',
    `No import or export of this workspace is ${id}. list_transfers lists those that there are.`,
  )

/** The transfer as operations show it. Throws `not_found` for one of another workspace. */
export const readTransfer = async (transaction: Transaction, id: string): Promise<TransferRow> => {
  const row = await findTransferWithJobs(transaction, id)
  if (row === undefined) throw missing(id)
  return row
}

/** An upload that is all there and that nobody has imported yet. Throws `not_found`, or `conflict` for any other. */
export const readyImport = async (transaction: Transaction, id: string): Promise<Transfer> => {
  // A uuid, as the input’s schema says.
  const transfer = await findTransfer(transaction, id as TransferId)
  if (transfer === undefined || transfer.direction !== 'import') throw missing(id)
  if (transfer.job_id !== null) {
    throw new AssayError(
      'conflict',
      'This file has been imported already, or is being imported. Upload it again to import it once more.',
    )
  }
  if (transfer.complete && (await hasFile(transaction, id))) return transfer
  throw new AssayError('conflict', 'The file is not there: it is on its way, or more than a day old. Upload it again.')
}
