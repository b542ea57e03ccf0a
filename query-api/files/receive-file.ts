import type { Database } from '../../infra/postgres/port.ts'
import { brokenOff, isAssayError } from '../../infra/runtime/errors.ts'
import type { Sealer } from '../../infra/runtime/secrets.ts'
import type { Quotas } from '../../model/quotas/quotas.ts'
import { requireQuota, requireSize } from '../../model/quotas/require-quota.ts'
import { PIECE_BYTES, readPieces, removePieces, sealPiece, storePiece } from '../../model/transfers/pieces.ts'
import { createTranscoder, type Transcoder } from '../../model/transfers/records/encodings.ts'
import { formatOf, isArchive, refusePacked, SNIFF_BYTES } from '../../model/transfers/records/formats.ts'
import { MAX_SPREADSHEET_BYTES, tooLargeSheet } from '../../model/transfers/records/spreadsheet.ts'
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

export interface ReceivedFile {
  readonly id: TransferId
  readonly format: TransferFormat
}

/**
 * Receives a file while it is uploaded: at most a piece of it is in memory, stored pieces are sealed, and no
 * transaction stays open while the client sends. A refusal deletes the stored pieces. An export is checked during the
 * upload, a workbook is read after it. A file with an announced length above the limit is refused after its first
 * piece, other files as soon as they exceed the limit.
 */
export const receiveFile = async (
  { database, sealer, quotas, worker }: FileStores,
  caller: Caller,
  name: string,
  body: AsyncIterable<Uint8Array>,
  announcedBytes = 0,
): Promise<ReceivedFile> => {
  const { workspaceId, userId } = caller
  // Each piece checks the caller's right to upload.
  const standing = standingOf(caller, 'own')
  const inside = <T>(work: Parameters<typeof database.transaction<T>>[1], isDivisible = false) =>
    database.transaction({ role: 'assay_app', workspaceId, standing, isDivisible }, work)
  const transcoder = createTranscoder()
  const raw = inPieces(body)
  const beginning = await raw.next()
  const isWorkbook = !beginning.done && isArchive(beginning.value)
  const whole = withFirst(beginning, raw)
  // A workbook can be read only as a whole.
  const pieces = isWorkbook ? whole : asUtf8(whole, transcoder)
  const first = await pieces.next()
  const format = isWorkbook ? 'csv' : formatOf(first.done ? Buffer.alloc(0) : first.value)
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
  // This role sees the account's files of every workspace. The megabytes are taken before the piece is stored.
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
    const store = async (piece: Uint8Array): Promise<void> => {
      requireSize(quotas, size, bytes + piece.length)
      const reached = Math.ceil((bytes + piece.length) / MIB)
      if (reached > megabytes) await takeMegabytes(megabytes, reached)
      megabytes = reached
      const rows = await check?.add(piece)
      const sealed = await sealPiece(sealer, bytes, piece)
      await inside(async transaction => {
        await storePiece(transaction, workspaceId, id, sealed)
        if (rows) await check?.checkStored(transaction, rows)
      }, rows === undefined)
      bytes += piece.length
    }
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      if (isWorkbook && bytes + piece.value.length > MAX_SPREADSHEET_BYTES) throw tooLargeSheet()
      await store(piece.value)
    }
    if (isWorkbook) {
      const sheet = await firstSheet(worker, caller, readPieces({ sealer, read: inside }, id))
      await inside(transaction => removePieces(transaction, id))
      bytes = 0
      for (let at = 0; at < sheet.length; at += PIECE_BYTES) await store(sheet.subarray(at, at + PIECE_BYTES))
    }
    const checked = (await check?.end()) ?? null
    await inside(async transaction => {
      if (checked) await check?.checkStored(transaction, checked.rows)
      await completeTransfer(transaction, id, { bytes, encoding: transcoder.encoding, header: checked?.header ?? null })
    })
    return { id, format }
  } catch (error) {
    // Without the caller's rights: the remains are deleted even when the caller has lost them.
    await database.transaction({ role: 'assay_app', workspaceId }, transaction => deleteTransfer(transaction, id))
    throw error
  } finally {
    await check?.over()
  }
}

/**
 * The first sheet of a stored workbook as CSV. A large workbook is read on the worker thread, which limits its cost.
 */
const firstSheet = async (
  worker: Worker,
  { tenantId }: Caller,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Uint8Array> => {
  const whole: Uint8Array[] = []
  for await (const piece of pieces) whole.push(piece)
  const sheet = await worker.run(tenantId, 'spreadsheet', { bytes: Buffer.concat(whole) }).catch((error: unknown) => {
    throw isAssayError(error) && error.code === 'too_costly' ? tooLargeSheet() : error
  })
  if (sheet.length === 0) throw new AssayError('invalid_input', 'The first sheet is empty.')
  return sheet
}

async function* withFirst(
  first: IteratorResult<Uint8Array, void>,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (!first.done) yield first.value
  yield* rest
}

/**
 * The body in pieces of at least one fixed length; the first has enough bytes to detect a format. A failure of the
 * stream is `invalid_input`, because the client has left, unless the server names another code.
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

/** The pieces as UTF-8, without empty ones. */
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
