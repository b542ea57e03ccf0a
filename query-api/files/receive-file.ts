import type { Database } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import { formatOf, TELLING_BYTES } from '../../model/transfers/file-format.ts'
import { PIECE_BYTES, sealPiece, storePiece } from '../../model/transfers/pieces.ts'
import { insertTransfer } from '../../model/transfers/transfer.ts'
import { checkedExport } from '../../model/transfers/workspace/check-export.ts'
import { readRules } from '../../model/transfers/workspace/rules.ts'
import { newId, type TransferId } from '../../schemas/domain/ids.ts'
import type { TransferFormat } from '../../schemas/domain/vocabulary.ts'
import type { Caller } from '../operations/define.ts'

const MIB = 1024 * 1024
/** The longest file that is taken, in bytes. */
const MAX_BYTES: Readonly<Record<TransferFormat, number>> = {
  csv: 100 * MIB,
  json_lines: 100 * MIB,
  workspace: 4096 * MIB,
}
/** Files that nobody has imported or discarded yet, of one workspace. */
const MAX_WAITING = 5

const WAITING = `
  select count(*)::integer as count from transfers
  where direction = 'import' and job_id is null and created_at > now() - interval '1 day'`
const COMPLETE = 'update transfers set complete = true, bytes = $2, report = $3 where id = $1'
const DELETE = 'delete from transfers where id = $1'

export interface FileStores {
  readonly database: Database
  readonly sealer: Sealer
}

/** A file that was taken in. */
export interface ReceivedFile {
  readonly id: TransferId
  readonly format: TransferFormat
}

/**
 * Takes a file in as it comes: no more of it than a piece is in memory, none of it is stored unsealed, and the database is not held while the
 * client sends. What is refused half way leaves nothing. An export is checked as it passes.
 */
export const receiveFile = async (
  { database, sealer }: FileStores,
  caller: Caller,
  name: string,
  body: AsyncIterable<Uint8Array>,
  most = MAX_BYTES,
): Promise<ReceivedFile> => {
  const { workspaceId } = caller
  const inside = <T>(work: Parameters<typeof database.transaction<T>>[1]) =>
    database.transaction({ role: 'assay_app', workspaceId }, work)
  const waiting = await inside(transaction => transaction.query<{ count: number }>(WAITING))
  if ((waiting[0]?.count ?? 0) >= MAX_WAITING) {
    throw new AssayError(
      'conflict',
      `${MAX_WAITING} uploaded files wait in this workspace already. Import or discard one of them first.`,
    )
  }
  const pieces = inPieces(body)
  const first = await pieces.next()
  const format = formatOf(first.done ? Buffer.alloc(0) : first.value)
  if (format === 'workspace' && caller.role !== 'owner') {
    throw new AssayError(
      'forbidden',
      `Importing an export of a workspace needs the role owner; yours is ${caller.role}.`,
    )
  }
  const id = newId<TransferId>()
  await inside(transaction =>
    insertTransfer(transaction, {
      id,
      workspace_id: workspaceId,
      direction: 'import',
      format,
      name,
      started_by: caller.userName,
    }),
  )
  try {
    const check = format === 'workspace' ? checkedExport(await inside(readRules)) : null
    let bytes = 0
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      if (bytes + piece.value.length > most[format]) throw tooLarge(most[format])
      check?.add(piece.value)
      const sealed = sealPiece(sealer, bytes, piece.value)
      await inside(async transaction => {
        await storePiece(transaction, workspaceId, id, sealed)
        await check?.checkStored(transaction)
      })
      bytes += piece.value.length
    }
    const header = check?.end() ?? null
    await inside(async transaction => {
      await check?.checkStored(transaction)
      await transaction.query(COMPLETE, [id, bytes, header === null ? null : JSON.stringify(header)])
    })
    return { id, format }
  } catch (error) {
    await inside(transaction => transaction.query(DELETE, [id]))
    throw error
  }
}

const tooLarge = (bytes: number): AssayError =>
  new AssayError('too_large', `The file is too large: at most ${bytes / MIB} MB. Cut it into several files.`)

/** The body cut into pieces of one length, whatever it comes in; the first has at least what a format is told by. */
async function* inPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length < Math.max(PIECE_BYTES, TELLING_BYTES)) continue
    yield Buffer.concat(chunks)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks)
}
