import { Compile } from 'typebox/compile'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { EXPORT_VERSION, ExportHeader } from '../../../schemas/transfers/workspace-export.ts'
import type { TableRules } from './rules.ts'

const header = Compile(ExportHeader)

/** The most rows of an export: what has to be remembered of a file while it is checked stays within some hundred MB. */
export const MAX_EXPORT_ROWS = 5_000_000

/** For an export that is cut, changed or none. */
export const refused = (why: string): AssayError =>
  new AssayError('invalid_input', `This file is no whole export of Assay. ${why} Nothing was imported.`)

/** For an export that holds what this version has no place for. */
export const newerVersion = (what: string): AssayError =>
  new AssayError('unsupported', `This export is of a newer version of Assay. ${what} Upgrade this installation first.`)

/**
 * The first line of an export, whose tables and columns are those of this installation. Throws `invalid_input` and
 * `unsupported`.
 */
export const readHeader = (line: string, rules: ReadonlyMap<string, TableRules>): ExportHeader => {
  const read = headerIn(line)
  const order = [...rules.keys()]
  let last = -1
  let rows = 0
  for (const { table, columns, rows: own } of read.tables) {
    const known = rules.get(table)
    if (known === undefined) throw newerVersion(`It holds the table ${table.slice(0, 60)}.`)
    const tableIndex = order.indexOf(table)
    if (tableIndex <= last) throw refused(`Its first line names ${table} twice, or behind a table that follows it.`)
    last = tableIndex
    rows += own
    if (table === 'workspaces' && own > 1) throw refused('Its first line has more than one workspace.')
    checkColumns(known, columns)
  }
  if (rows > MAX_EXPORT_ROWS)
    throw new AssayError('too_large', `The export has ${rows} rows; at most ${MAX_EXPORT_ROWS} are taken.`)
  return read
}

const checkColumns = ({ table, columns: known }: TableRules, columns: readonly string[]): void => {
  const names = known.map(({ name }) => name)
  const unknown = columns.find(column => !names.includes(column))
  if (unknown !== undefined) throw newerVersion(`It holds the column ${unknown.slice(0, 60)} of ${table}.`)
  if (new Set(columns).size < columns.length) throw refused(`Its first line names a column of ${table} twice.`)
  const missing = known.find(({ name, optional }) => !optional && !columns.includes(name))
  if (missing !== undefined) throw refused(`Its first line lacks the column ${missing.name} of ${table}.`)
}

const headerIn = (line: string): ExportHeader => {
  const read = parsed(line)
  const version = (read as { readonly assay_export?: unknown } | null)?.assay_export
  if (typeof version === 'number' && version > EXPORT_VERSION)
    throw newerVersion(`Its format is version ${version}; version ${EXPORT_VERSION} is known here.`)
  if (header.Check(read) && version === EXPORT_VERSION) return read
  throw refused('Its first line is not that of an export.')
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
