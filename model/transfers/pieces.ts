import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import type { TransferId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** Bytes of a file in one row. */
export const PIECE_BYTES = 256 * 1024
const QUICKLY = { level: 1 }
const compress = promisify<Uint8Array, { readonly level: number }, Buffer>(deflateRaw)
const expand = promisify<Uint8Array, Buffer>(inflateRaw)

export interface SealedPiece {
  readonly startsAt: number
  readonly bytes: number
  readonly sealed: Uint8Array
}

/** Compresses and seals a piece of a file: some milliseconds, most of them on another thread. */
export const sealPiece = async (
  sealer: Pick<Sealer, 'sealBytes'>,
  startsAt: number,
  bytes: Uint8Array,
): Promise<SealedPiece> => ({
  startsAt,
  bytes: bytes.length,
  sealed: sealer.sealBytes(await compress(bytes, QUICKLY)),
})

const INSERT = `
  insert into transfer_pieces (workspace_id, transfer_id, starts_at, bytes, sealed) values ($1, $2, $3, $4, $5)
  on conflict (transfer_id, starts_at) do nothing`

export const storePiece = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  transferId: TransferId,
  { startsAt, bytes, sealed }: SealedPiece,
): Promise<void> => {
  await transaction.query(INSERT, [workspaceId, transferId, startsAt, bytes, sealed])
}

const REMOVE = 'delete from transfer_pieces where transfer_id = $1'

/** Removes the pieces of a file before new ones are stored. */
export const removePieces = async (transaction: Transaction, id: TransferId): Promise<void> => {
  await transaction.query(REMOVE, [id])
}

// Pieces have no gaps.
const AT = `
  select starts_at, sealed from transfer_pieces
  where transfer_id = $1 and starts_at <= $2 and starts_at + bytes > $2
  order by starts_at desc limit 1`

/** Access to a file's pieces. */
export interface PieceStore {
  readonly sealer: Pick<Sealer, 'unsealBytes'>
  /** Runs a transaction that sees the file's workspace. */
  readonly read: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
}

/** Bytes of a file from a position on, a piece at a time, each read on demand. Ends with the last piece. */
export async function* readPieces({ sealer, read }: PieceStore, id: TransferId, from = 0): AsyncGenerator<Buffer> {
  for (let at = from; ; ) {
    const [piece] = await read(transaction =>
      transaction.query<{ readonly starts_at: number; readonly sealed: Uint8Array }>(AT, [id, at]),
    )
    if (piece === undefined) return
    const bytes = await expand(sealer.unsealBytes(piece.sealed))
    yield bytes.subarray(at - piece.starts_at)
    at = piece.starts_at + bytes.length
  }
}
