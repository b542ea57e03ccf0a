import type { Database } from '../../infra/postgres/port.ts'
import { brokenOff, isAssayError } from '../../infra/runtime/errors.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import { requireQuota, requireSize } from '../../model/quotas/require-quota.ts'
import { PIECE_BYTES, readPieces, sealPiece, storePiece } from '../../model/transfers/pieces.ts'
import { createTranscoder, type Transcoder } from '../../model/transfers/records/encodings.ts'
import { formatOf, refusePacked, SNIFF_BYTES } from '../../model/transfers/records/formats.ts'
import { completeTransfer, deleteTransfer, insertTransfer, setMegabytes } from '../../model/transfers/transfers.ts'
import { readRules } from '../../model/transfers/workspace/rules.ts'
import { newId, type TransferId } from '../../schemas/domain/ids.ts'
import type { TransferFormat } from '../../schemas/domain/vocabulary.ts'
import { standingOf } from '../operations/call/standing.ts'
import { AssayError, type Caller } from '../operations/define.ts'
import type { Worker } from '../worker/work.ts'
import { type ExportCheck, startExportCheck } from './export-check.ts'

const MIB = 1024 * 1024

export interface FileStores {
  readonly database: Database
  readonly sealer: Sealer
  readonly quotas: Quotas
  readonly worker: Worker
}

/** A file that was taken in. */
export interface ReceivedFile {
  readonly id: TransferId
  readonly format: TransferFormat
}

/**
 * Takes a file in as it comes: no more of it than a piece is in memory, none of it is stored unsealed, and the database
 * is not held while the client sends. What is refused half way leaves nothing. An export is checked as it passes. A
 * file that is announced as too long is refused once its first piece says what it is, one that is not as soon as it is.
 */
export const receiveFile = async (
  { database, sealer, quotas, worker }: FileStores,
  caller: Caller,
  name: string,
  body: AsyncIterable<Uint8Array>,
  announcedBytes = 0,
): Promise<ReceivedFile> => {
  const { workspaceId, userId } = caller
  // Each piece is taken from somebody who may still bring it.
  const standing = standingOf(caller, 'own')
  const inside = <T>(work: Parameters<typeof database.transaction<T>>[1], isDivisible = false) =>
    database.transaction({ role: 'assay_app', workspaceId, standing, isDivisible }, work)
  const transcoder = createTranscoder()
  const pieces = asUtf8(inPieces(body), transcoder)
  const first = await pieces.next()
  const format = formatOf(first.done ? Buffer.alloc(0) : first.value)
  if (format === 'workspace' && caller.role !== 'owner') {
    throw new AssayError(
      'forbidden',
      `Importing an export of a workspace needs the role owner; yours is ${caller.role}.`,
    )
  }
  const size = format === 'workspace' ? 'workspaceImportMegabytes' : 'importMegabytes'
  requireSize(quotas, size, announcedBytes)
  const id = newId<TransferId>()
  const started_by = caller.userName
  await inside(async transaction => {
    await requireQuota(transaction, quotas, 'uploads', workspaceId)
    await insertTransfer(transaction, {
      id,
      workspace_id: workspaceId,
      direction: 'import',
      format,
      name,
      started_by,
      account_id: userId,
    })
  })
  // In a transaction that sees the account's files of every workspace; what is taken is the file's before it is stored.
  const takeMegabytes = (from: number, to: number): Promise<void> =>
    database.transaction({ role: 'assay_accounts', standing }, async transaction => {
      await requireQuota(transaction, quotas, 'uploadedMegabytes', userId, to - from)
      await setMegabytes(transaction, id, to)
    })
  let check: ExportCheck | null = null
  try {
    if (format === 'workspace') {
      const stored = () => readPieces({ sealer, read: work => inside(work, true) }, id)
      check = await startExportCheck(worker, caller, id, await inside(readRules, true), stored)
    }
    let bytes = 0
    let megabytes = 0
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      requireSize(quotas, size, bytes + piece.value.length)
      const reached = Math.ceil((bytes + piece.value.length) / MIB)
      if (reached > megabytes) await takeMegabytes(megabytes, reached)
      megabytes = reached
      const rows = await check?.add(piece.value)
      const sealed = await sealPiece(sealer, bytes, piece.value)
      await inside(async transaction => {
        await storePiece(transaction, workspaceId, id, sealed)
        if (rows) await check?.checkStored(transaction, rows)
      }, rows === undefined)
      bytes += piece.value.length
    }
    const checked = (await check?.end()) ?? null
    await inside(async transaction => {
      if (checked) await check?.checkStored(transaction, checked.rows)
      await completeTransfer(transaction, id, { bytes, encoding: transcoder.encoding, header: checked?.header ?? null })
    })
    return { id, format }
  } catch (error) {
    // In nobody's name: what is left of a file goes, whoever brought it.
    await database.transaction({ role: 'assay_app', workspaceId }, transaction => deleteTransfer(transaction, id))
    throw error
  } finally {
    await check?.over()
  }
}

/**
 * The body cut into pieces of one length, whatever it comes in; the first has at least what a format is told by. What
 * its stream fails with is `invalid_input`, unless the server says otherwise: the client has left.
 */
async function* inPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of orBrokenOff(body)) {
    chunks.push(chunk)
    length += chunk.length
    if (length < Math.max(PIECE_BYTES, SNIFF_BYTES)) continue
    yield Buffer.concat(chunks)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks)
}

/** The pieces as UTF-8, none of them empty. */
async function* asUtf8(pieces: AsyncIterable<Uint8Array>, transcoder: Transcoder): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const piece of pieces) {
    if (isFirst) refusePacked(piece)
    isFirst = false
    const text = transcoder.add(piece)
    if (text.length > 0) yield text
  }
  const rest = transcoder.end()
  if (rest.length > 0) yield rest
}

async function* orBrokenOff(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw isAssayError(error) ? error : brokenOff(error)
  }
}
