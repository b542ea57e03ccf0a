import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import type { PieceStore } from '../../model/transfers/pieces.ts'
import { findTransfer, type Transfer } from '../../model/transfers/transfers.ts'
import type { TransferId } from '../../schemas/domain/ids.ts'
import type { InWorkspace } from './in-workspace.ts'
import type { JobSlice } from './job-kind.ts'

export interface TransferDependencies {
  readonly database: Database
  readonly sealer: Sealer
}

const Input = Compile(Type.Object({ transfer_id: Type.String({ format: 'uuid' }) }))

/** The file of a job. Throws `not_found` when the file was deleted, which fails the job. */
export const transferOf = async (inside: InWorkspace, { input }: JobSlice): Promise<Transfer> => {
  const id = Input.Check(input) ? (input.transfer_id as TransferId) : null
  const transfer = id === null ? undefined : await inside(transaction => findTransfer(transaction, id))
  if (transfer === undefined) throw fileDeleted()
  return transfer
}

export const pieceStore = ({ sealer }: TransferDependencies, read: InWorkspace): PieceStore => ({ sealer, read })

export const fileDeleted = (): AssayError =>
  new AssayError('not_found', 'The file is not there any more: it is kept for a day. Upload it again.')

/** A position in a file, as fields of a cursor. */
export const FilePositionFields = { byte: Type.Integer(), line: Type.Integer() }

/** Estimates a file's number of records from its first bytes; exact at the end. */
export const estimatedTotal = (transfer: Transfer, { byte }: { readonly byte: number }, records: number): number =>
  byte === 0 ? records : Math.round((records * transfer.bytes) / byte)
