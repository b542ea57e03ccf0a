import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import type { TransferId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** How much of a file is one row. */
export const PIECE_BYTES = 256 * 1024
const QUICKLY = { level: 1 }
const compress = promisify<Uint8Array, { readonly level: number }, Buffer>(deflateRaw)
const expand = promisify<Uint8Array, Buffer>(inflateRaw)

/** A piece as it is kept. */
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

/** Removes what is stored of a file, for what takes its place. */
export const removePieces = async (transaction: Transaction, id: TransferId): Promise<void> => {
  await transaction.query(REMOVE, [id])
}

// Pieces have no gaps between them.
const AT = `
  select starts_at, sealed from transfer_pieces
  where transfer_id = $1 and starts_at <= $2 and starts_at + bytes > $2
  order by starts_at desc limit 1`

/** Where the pieces of a file are read from. */
export interface PieceStore {
  readonly sealer: Pick<Sealer, 'unsealBytes'>
  /** One transaction that sees the workspace of the file. */
  readonly read: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>
}

/**
 * The bytes of a file from one of them on, a piece at a time, each read when it is asked for. Ends where the pieces do.
 */
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
