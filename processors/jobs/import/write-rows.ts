import type { Embedder } from '../../../infra/models/port.ts'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Sealer } from '../../../infra/runtime/secrets.ts'
import { startJobUnlessRunning } from '../../../model/jobs/start-job.ts'
import { newSecret } from '../../../model/sources/proof.ts'
import { type PieceStore, readPieces } from '../../../model/transfers/pieces.ts'
import { scanLine } from '../../../model/transfers/records/formats.ts'
import { FILE_START, type FilePosition, readRecords } from '../../../model/transfers/records/read-records.ts'
import type { Transfer } from '../../../model/transfers/transfers.ts'
import { MAX_EXPORT_LINE_BYTES } from '../../../model/transfers/workspace/check-export.ts'
import type { Row } from '../../../model/transfers/workspace/exported-rows.ts'
import {
  type CompleteRow,
  filledTables,
  headerOf,
  insertRows,
  isClosedFor,
  openWhole,
} from '../../../model/transfers/workspace/fill-workspace.ts'
import type { TransferId } from '../../../schemas/domain/ids.ts'
import { SOURCE_KINDS } from '../../../schemas/domain/vocabulary.ts'
import type { InWorkspace } from '../in-workspace.ts'
import type { JobSlice } from '../job-kind.ts'
import { fileDeleted, pieceStore, type TransferDependencies } from '../transfer-file.ts'

const MAX_LINES = 500
const MAX_BYTES = 1024 * 1024

/** Adjacent rows of one table in an export. */
interface TablePart {
  readonly table: string
  /** Position of the first row in the export, from 1. */
  readonly first: number
  readonly rows: readonly Row[]
}

interface Page {
  readonly parts: readonly TablePart[]
  readonly rows: number
  readonly next: FilePosition
}

/**
 * The next rows of a stored export, about as many as a transaction of one second writes. The first and the last line of
 * the file are no rows.
 */
export const nextRows = async (
  store: PieceStore,
  id: TransferId,
  from: FilePosition,
  mostLines = MAX_LINES,
): Promise<Page> => {
  const parts: { readonly table: string; readonly first: number; readonly rows: Row[] }[] = []
  let next = from
  let rows = 0
  for await (const record of readRecords(readPieces(store, id, from.byte), scanLine, from, MAX_EXPORT_LINE_BYTES)) {
    const { content, line } = record
    if (content === 'too_long') throw new AssayError('invalid_input', `Line ${line} is too long.`)
    next = { byte: record.next, line: record.nextLine }
    const row = rowOf(content, line)
    if (row !== null) {
      rows += 1
      const last = parts.at(-1)
      if (last?.table === row.table) last.rows.push(row.row)
      else parts.push({ table: row.table, first: line - 1, rows: [row.row] })
    }
    if (rows >= mostLines || next.byte - from.byte >= MAX_BYTES) break
  }
  return { parts, rows, next }
}

interface RowLine {
  readonly table: string
  readonly row: Row
}

/** Null for a line that is not JSON. The upload has checked everything else. */
const rowOf = (line: Buffer, number: number): RowLine | null => {
  try {
    const read = JSON.parse(line.toString('utf8')) as Partial<RowLine>
    const { table, row } = read
    return table === undefined || row === undefined ? null : { table, row }
  } catch (cause) {
    throw new AssayError('invalid_input', `Line ${number} of the export is not JSON.`, { cause })
  }
}

const bytea = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : `\\x${Buffer.from(bytes).toString('hex')}`

/**
 * Gives each imported source a random secret in its kind's form. The source takes nothing until somebody rotates the
 * secret.
 */
const sourceSecrets =
  ({ seal }: Pick<Sealer, 'seal'>): CompleteRow =>
  (table, { kind }) => {
    if (table !== 'sources') return {}
    // The table refuses an unknown kind.
    const known = SOURCE_KINDS.find(one => one === kind)
    const { sealed, hash } = known === undefined ? { sealed: null, hash: null } : newSecret(known, seal)
    return { sealed_secret: bytea(sealed), secret_hash: bytea(hash) }
  }

export interface ImportWorkspaceDependencies extends TransferDependencies {
  readonly embedder: Pick<Embedder, 'model'>
  /** Rows of a transaction, at most; for tests. */
  readonly rowsASlice?: number
}

const APPLIED = 'select applied from transfers where id = $1 for update'
const NOTE_APPLIED = 'update transfers set applied = $2 where id = $1'

/** Key of an error's context: no row was written, so nothing must be removed. */
export const NOTHING_WRITTEN = 'nothing_written'

interface Written {
  /** Start of the next slice; null at the end. */
  readonly next: FilePosition | null
  readonly rows: number
  readonly total: number
}

/**
 * Writes the next lines of an export into the tables. With the last lines the workspace opens and its texts get
 * vectors. The number of written lines is stored in the same transaction, so a repeated slice writes none twice.
 */
export const writeRows = async (
  dependencies: ImportWorkspaceDependencies,
  inside: InWorkspace,
  asTransfer: InWorkspace,
  { workspaceId, jobId }: JobSlice,
  transfer: Transfer,
  from: FilePosition,
): Promise<Written> => {
  const header = headerOf(transfer.report)
  if (header === null) throw new AssayError('invalid_input', 'The file is no export of a workspace.')
  const total = header.tables.reduce((sum, { rows }) => sum + rows, 0)
  const store = pieceStore(dependencies, inside)
  const { parts, rows, next } = await nextRows(store, transfer.id, from, dependencies.rowsASlice)
  const isEnd = next.byte >= transfer.bytes
  if (!isEnd && next.byte === from.byte) throw fileDeleted()
  // The workspace's own row is updated last, when nothing can fail any more.
  const own = isEnd ? (await nextRows(store, transfer.id, FILE_START)).parts.filter(isOwn) : []
  const complete = sourceSecrets(dependencies.sealer)
  const insert = async (transaction: Transaction, part: TablePart, applied: number): Promise<void> => {
    const missing = part.rows.slice(Math.max(0, applied + 1 - part.first))
    await insertRows(transaction, workspaceId, { table: part.table, rows: missing }, complete)
  }
  await asTransfer(async transaction => {
    if (!(await isClosedFor(transaction, workspaceId, jobId))) return
    const [kept] = await transaction.query<{ applied: number }>(APPLIED, [transfer.id])
    const applied = kept?.applied ?? 0
    if (applied === 0) await requireEmpty(transaction)
    for (const part of parts) if (!isOwn(part)) await insert(transaction, part, applied)
    // Lines before the next one, without the first and the last line of the file.
    await transaction.query(NOTE_APPLIED, [transfer.id, Math.max(applied, Math.min(total, next.line - 2))])
    if (!isEnd) return
    for (const part of own) await insert(transaction, part, 0)
    await openWhole(transaction, workspaceId, jobId)
  })
  if (isEnd) {
    const { model } = dependencies.embedder
    const startedBy = transfer.started_by
    const job = { workspaceId, kind: 're_embed', input: { model }, total: null, startedBy } as const
    await inside(transaction => startJobUnlessRunning(transaction, job))
  }
  return { next: isEnd ? null : next, rows, total }
}

const isOwn = ({ table }: TablePart): boolean => table === 'workspaces'

/** Records may have been in the pipeline when the import started. */
const requireEmpty = async (transaction: Transaction): Promise<void> => {
  const filled = await filledTables(transaction)
  if (filled.length === 0) return
  throw new AssayError(
    'conflict',
    `An export goes into an empty workspace, and this one has got ${filled.map(table => table.replaceAll('_', ' ')).join(', ')} meanwhile. Nothing was imported. Make a workspace and import it there.`,
    { context: { filled, [NOTHING_WRITTEN]: true } },
  )
}
