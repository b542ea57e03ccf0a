import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { exceededLimit, type JsonLimits } from '../../../schemas/http/json-limits.ts'
import { type ExportHeader, rowBegins } from '../../../schemas/transfers/workspace-export.ts'
import { rowCheck } from './check-row.ts'
import { type RowsToStore, storedCheck, storedRow } from './check-stored.ts'
import type { Row } from './exported-rows.ts'
import { readHeader, refused, type TableRules } from './rules.ts'

const LINE_FEED = 0x0a
/** Longest line of an export, in bytes. */
export const MAX_EXPORT_LINE_BYTES = 16 * 1024 * 1024
/**
 * Limits of a line's JSON. The first line names each table and column; the largest values of rows that Assay writes are
 * lists of some thousand ids.
 */
const MAX_IN_A_LINE: JsonLimits = { values: 100_000, depth: 100 }

/**
 * Checks an export in pieces. Throws, with the line, when it is no export or when a table would refuse a row. Both
 * methods answer the rows that only the database can check, for `checkStoredRows`.
 */
export interface CheckedExport {
  add(bytes: Uint8Array): readonly RowsToStore[]
  /** Answers the first line, and the last rows. */
  end(): { readonly header: ExportHeader; readonly rows: readonly RowsToStore[] }
}

const wrong = (line: number, table: string, why: string): AssayError =>
  new AssayError(
    'invalid_input',
    `This export cannot be imported. Line ${line}, a row of ${table}: ${why}. Nothing was imported.`,
  )

/**
 * Checks an export before a row of it is written: its first line, each row's fields, references and limits, the number
 * of rows of each table in order, and its last line. Memory holds a line and some bytes for each row.
 */
export const checkedExport = (rules: ReadonlyMap<string, TableRules>): CheckedExport => {
  const checkRow = rowCheck(rules)
  /** Bytes of an unfinished line. */
  let begun: Uint8Array[] = []
  let begunBytes = 0
  let head: ExportHeader | null = null
  let lines = 0
  let table = 0
  let rows = 0
  let ended = false
  let passed: { readonly table: string; readonly lines: number[]; readonly rows: string[] }[] = []

  const take = (line: Buffer): void => {
    lines += 1
    const tooMuch = excessOf(line)
    if (ended) throw refused(`Line ${lines} follows its last line.`)
    if (head === null) {
      if (tooMuch !== null) throw refused(`Line 1 ${tooMuch}.`)
      head = readHeader(line.toString('utf8'), rules)
      return
    }
    while (rows === head.tables[table]?.rows) {
      table += 1
      rows = 0
    }
    const expected = head.tables[table]
    if (expected === undefined) {
      if (tooMuch !== null || endOf(line.toString('utf8')) !== lines - 2)
        throw refused(`Line ${lines} should be its last one, and is not.`)
      ended = true
      return
    }
    const begins = rowBegins(expected.table)
    if (line.subarray(0, Buffer.byteLength(begins)).toString('utf8') !== begins || line.at(-1) !== 0x7d) {
      throw refused(`Line ${lines} should be row ${rows + 1} of ${expected.rows} of ${expected.table}.`)
    }
    rows += 1
    if (tooMuch !== null) throw wrong(lines, expected.table, `it ${tooMuch}`)
    const row = rowIn(line, begins)
    const why = row === null ? 'it is not JSON' : checkRow(expected.table, expected.columns, row)
    if (row === null || why !== null) throw wrong(lines, expected.table, why ?? '')
    let part = passed.at(-1)
    if (part?.table !== expected.table) {
      part = { table: expected.table, lines: [], rows: [] }
      passed.push(part)
    }
    part.lines.push(lines)
    part.rows.push(storedRow(row))
  }

  const takePassed = (): readonly RowsToStore[] => {
    const parts = passed.map(({ table, lines, rows }) => ({ table, lines, json: `[${rows.join(',')}]` }))
    passed = []
    return parts
  }

  return {
    add: bytes => {
      let at = 0
      for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, at)) {
        take(Buffer.concat([...begun, bytes.subarray(at, end)]))
        begun = []
        begunBytes = 0
        at = end + 1
      }
      begun.push(bytes.subarray(at))
      begunBytes += bytes.length - at
      if (begunBytes > MAX_EXPORT_LINE_BYTES)
        throw refused(`Line ${lines + 1} is longer than ${MAX_EXPORT_LINE_BYTES} bytes.`)
      return takePassed()
    },
    end: () => {
      if (begunBytes > 0) take(Buffer.concat(begun))
      if (head === null || !ended) throw refused('It was cut short: download or copy it again.')
      return { header: head, rows: takePassed() }
    },
  }
}

/** Lets the database check rows in their order. Writes nothing. */
export const checkStoredRows = (rules: ReadonlyMap<string, TableRules>) => {
  const checkStored = storedCheck(rules)
  return async (transaction: Transaction, parts: readonly RowsToStore[]): Promise<void> => {
    for (const part of parts) {
      const found = await checkStored(transaction, part)
      if (found !== null) throw wrong(found.line, part.table, found.why)
    }
  }
}

/** The limit that a line exceeds, found before it is parsed; null without one. */
const excessOf = (line: Buffer): string | null => {
  // A line shorter than the depth limit cannot exceed either limit.
  if (line.length <= MAX_IN_A_LINE.depth) return null
  const exceeded = exceededLimit(line.toString('latin1'), MAX_IN_A_LINE)
  if (exceeded === 'values') return `holds more than ${MAX_IN_A_LINE.values} members and elements`
  return exceeded && `nests deeper than ${MAX_IN_A_LINE.depth} levels`
}

/** Parses a line's row: one JSON value between the line's beginning and its last brace, as the import reads it. */
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
