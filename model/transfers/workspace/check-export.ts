import { Compile } from 'typebox/compile'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { EXPORT_VERSION, ExportHeader } from '../../../schemas/transfers/workspace-export.ts'

const header = Compile(ExportHeader)

const LINE_FEED = 0x0a
/** The longest line of an export, in bytes. */
export const MAX_EXPORT_LINE_BYTES = 16 * 1024 * 1024

/** How the line of a row begins; its row follows up to the last brace. */
export const rowBegins = (table: string): string => `{"table":${JSON.stringify(table)},"row":`

const refused = (why: string): AssayError =>
  new AssayError('invalid_input', `This file is no whole export of Assay. ${why} Nothing was imported.`)

/** An export that passes by, in whatever pieces: `add` them, then `end` answers its first line. Both throw `invalid_input` for what is none. */
export interface PassingExport {
  add(bytes: Uint8Array): void
  end(): ExportHeader
}

/**
 * Checks that an export is whole and of a kind that is known here: its first line, the number of rows of each table in their order, and its last
 * line. What is in the rows the tables check.
 */
export const checkedExport = (): PassingExport => {
  let held = Buffer.alloc(0)
  let head: ExportHeader | null = null
  let lines = 0
  let table = 0
  let rows = 0
  let ended = false

  const take = (line: Buffer): void => {
    lines += 1
    if (ended) throw refused(`Line ${lines} follows its last line.`)
    if (head === null) {
      head = readHeader(line.toString('utf8'))
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
  }

  return {
    add: bytes => {
      held = Buffer.concat([held, bytes])
      let at = 0
      for (let end = held.indexOf(LINE_FEED); end !== -1; end = held.indexOf(LINE_FEED, at)) {
        take(held.subarray(at, end))
        at = end + 1
      }
      held = held.subarray(at)
      if (held.length > MAX_EXPORT_LINE_BYTES) throw refused(`Line ${lines + 1} is too long.`)
    },
    end: () => {
      if (held.length > 0) take(held)
      if (head === null || !ended) throw refused('It was cut short: download or copy it again.')
      return head
    },
  }
}

const readHeader = (line: string): ExportHeader => {
  const read = parsed(line)
  if (header.Check(read)) {
    if (read.assay_export > EXPORT_VERSION)
      throw newer(`Its format is version ${read.assay_export}; version ${EXPORT_VERSION} is known here.`)
    return read
  }
  const version = (read as { readonly assay_export?: unknown } | null)?.assay_export
  throw typeof version === 'number' && version > EXPORT_VERSION
    ? newer(`Its format is version ${version}; version ${EXPORT_VERSION} is known here.`)
    : refused('Its first line is not that of an export.')
}

/** For an export that holds what this version has no place for. */
export const newer = (what: string): AssayError =>
  new AssayError('unsupported', `This export is of a newer version of Assay. ${what} Upgrade this installation first.`)

const endOf = (line: string): unknown => (parsed(line) as { readonly end?: unknown } | null)?.end

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
