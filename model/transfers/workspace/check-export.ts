import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { type ExportHeader, rowBegins } from '../../../schemas/transfers/workspace-export.ts'
import { rowCheck } from './check-row.ts'
import { type RowAtLine, storedCheck } from './check-stored.ts'
import type { Row } from './exported-rows.ts'
import { readHeader, refused, type TableRules } from './rules.ts'

const LINE_FEED = 0x0a
/** The longest line of an export, in bytes. */
export const MAX_EXPORT_LINE_BYTES = 16 * 1024 * 1024

/**
 * An export that passes by, in whatever pieces. What is none, or what the tables would not take, throws, naming the
 * line.
 */
export interface CheckedExport {
  add(bytes: Uint8Array): void
  /** Has the database look at the rows that have passed since it was asked last. Writes nothing. */
  checkStored(transaction: Transaction): Promise<void>
  /** Answers the first line. */
  end(): ExportHeader
}

const wrong = (line: number, table: string, why: string): AssayError =>
  new AssayError(
    'invalid_input',
    `This export cannot be imported. Line ${line}, a row of ${table}: ${why}. Nothing was imported.`,
  )

interface Passed {
  readonly table: string
  readonly rows: RowAtLine[]
}

/**
 * Checks an export before anything of it is written: its first line, the number of rows of each table in their order,
 * its last line, and each row: its fields, what it names, and what its table may hold. A line and some bytes of each
 * row are in memory, whatever the file.
 */
export const checkedExport = (rules: ReadonlyMap<string, TableRules>): CheckedExport => {
  const checkRow = rowCheck(rules)
  const checkStored = storedCheck(rules)
  let remainder = Buffer.alloc(0)
  let head: ExportHeader | null = null
  let lines = 0
  let table = 0
  let rows = 0
  let ended = false
  let passed: Passed[] = []

  const take = (line: Buffer): void => {
    lines += 1
    if (ended) throw refused(`Line ${lines} follows its last line.`)
    if (head === null) {
      head = readHeader(line.toString('utf8'), rules)
      return
    }
    while (rows === head.tables[table]?.rows) {
      table += 1
      rows = 0
    }
    const expected = head.tables[table]
    if (expected === undefined) {
      if (endOf(line.toString('utf8')) !== lines - 2) throw refused(`Line ${lines} should be its last one, and is not.`)
      ended = true
      return
    }
    const begins = rowBegins(expected.table)
    if (line.subarray(0, Buffer.byteLength(begins)).toString('utf8') !== begins || line.at(-1) !== 0x7d) {
      throw refused(`Line ${lines} should be row ${rows + 1} of ${expected.rows} of ${expected.table}.`)
    }
    rows += 1
    const row = rowIn(line, begins)
    const why = row === null ? 'it is not JSON' : checkRow(expected.table, expected.columns, row)
    if (row === null || why !== null) throw wrong(lines, expected.table, why ?? '')
    const last = passed.at(-1)
    if (last?.table === expected.table) last.rows.push({ line: lines, row })
    else passed.push({ table: expected.table, rows: [{ line: lines, row }] })
  }

  return {
    add: bytes => {
      remainder = Buffer.concat([remainder, bytes])
      let at = 0
      for (let end = remainder.indexOf(LINE_FEED); end !== -1; end = remainder.indexOf(LINE_FEED, at)) {
        take(remainder.subarray(at, end))
        at = end + 1
      }
      remainder = remainder.subarray(at)
      if (remainder.length > MAX_EXPORT_LINE_BYTES)
        throw refused(`Line ${lines + 1} is longer than ${MAX_EXPORT_LINE_BYTES} bytes.`)
    },
    checkStored: async transaction => {
      const parts = passed
      passed = []
      for (const part of parts) {
        const found = await checkStored(transaction, part.table, part.rows)
        if (found !== null) throw wrong(found.line, part.table, found.why)
      }
    },
    end: () => {
      if (remainder.length > 0) take(remainder)
      if (head === null || !ended) throw refused('It was cut short: download or copy it again.')
      return head
    },
  }
}

/**
 * What stands behind the beginning of a row's line and before its last brace: one value, as the import reads it too.
 */
const rowIn = (line: Buffer, begins: string): Row | null => {
  try {
    return JSON.parse(line.subarray(Buffer.byteLength(begins), -1).toString('utf8'))
  } catch {
    return null
  }
}

const endOf = (line: string): unknown => {
  try {
    return (JSON.parse(line) as { readonly end?: unknown } | null)?.end
  } catch {
    return null
  }
}
