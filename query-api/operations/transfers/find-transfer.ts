import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { findTransfer, type Transfer } from '../../../model/transfers/transfer.ts'
import type { TransferId } from '../../../schemas/domain/ids.ts'
import { SELECT_TRANSFERS, type TransferRow } from './transfer-shape.ts'

const missing = (id: string): AssayError =>
  new AssayError(
    'not_found',
    `No import or export of this workspace is ${id}. list_transfers lists those that there are.`,
  )

const BY_ID = `${SELECT_TRANSFERS} where id = $1`

/** The transfer as operations show it. Throws `not_found` for one of another workspace. */
export const readTransfer = async (transaction: Transaction, id: string): Promise<TransferRow> => {
  const [row] = await transaction.query<TransferRow>(BY_ID, [id])
  if (row === undefined) throw missing(id)
  return row
}

const IS_STORED = 'select exists (select from transfer_pieces where transfer_id = $1) as stored'

/** An upload that is all there and that nobody has imported yet. Throws `not_found`, or `conflict` for any other. */
export const readyImport = async (transaction: Transaction, id: string): Promise<Transfer> => {
  // A uuid, as the input’s schema says.
  const transfer = await findTransfer(transaction, id as TransferId)
  if (transfer === undefined || transfer.direction !== 'import') throw missing(id)
  const [file] = await transaction.query<{ stored: boolean }>(IS_STORED, [id])
  if (transfer.job_id !== null) {
    throw new AssayError(
      'conflict',
      'This file has been imported already, or is being imported. Upload it again to import it once more.',
    )
  }
  if (transfer.complete && file?.stored === true) return transfer
  throw new AssayError('conflict', 'The file is not there: it is on its way, or more than a day old. Upload it again.')
}
