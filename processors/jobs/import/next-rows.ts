import { AssayError } from '../../../infra/runtime/errors.ts'
import { type PieceStore, readPieces } from '../../../model/transfers/pieces.ts'
import { scanLine } from '../../../model/transfers/records/formats.ts'
import { type FilePosition, readRecords } from '../../../model/transfers/records/read-records.ts'
import { MAX_EXPORT_LINE_BYTES } from '../../../model/transfers/workspace/check-export.ts'
import type { Row } from '../../../model/transfers/workspace/exported-rows.ts'
import type { TransferId } from '../../../schemas/domain/ids.ts'

const MAX_LINES = 500
const MAX_BYTES = 1024 * 1024

/** Rows of one table that stand under each other in an export. */
export interface TablePart {
  readonly table: string
  /** The place of the first among all rows of the export, from 1. */
  readonly first: number
  readonly rows: readonly Row[]
}

interface Page {
  readonly parts: readonly TablePart[]
  readonly rows: number
  readonly next: FilePosition
}

/** The next rows of a stored export, about as many as a transaction of a second takes. Its first and its last line are none. */
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

/** Null for a line that is no row. That each line is what it should be, the upload has checked; that it is JSON, not. */
const rowOf = (line: Buffer, number: number): RowLine | null => {
  try {
    const read = JSON.parse(line.toString('utf8')) as Partial<RowLine>
    const { table, row } = read
    return table === undefined || row === undefined ? null : { table, row }
  } catch (cause) {
    throw new AssayError('invalid_input', `Line ${number} of the export is not JSON.`, { cause })
  }
}
