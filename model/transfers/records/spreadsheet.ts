import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'

/** Largest spreadsheet: it is read in memory, which is enough for some hundred thousand short rows. */
export const MAX_SPREADSHEET_BYTES = 8 * 1024 * 1024
/** Largest size of the read parts, unpacked. Reading takes some ten times as much memory. */
const MAX_UNPACKED_BYTES = 40 * 1024 * 1024

/** Limits of the last cell, far beyond sheets of feedback: the reader makes a table up to it. */
const MAX_ROWS = 200_000
const MAX_CELLS = 4_000_000

/** Parts with the workbook's sheets and shared values, without pictures, charts or macros. */
const SHARED_PARTS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|sharedStrings|styles)\.xml|xl\/_rels\/workbook\.xml\.rels)$/i

const notAWorkbook = (): AssayError =>
  new AssayError(
    'unsupported',
    'It is no workbook (.xlsx), or an archive of something else. Save the sheet as CSV (UTF-8) and upload that.',
  )
/** Also used when the thread runs out of memory. */
export const tooLargeSheet = (): AssayError =>
  new AssayError('too_large', 'The sheet is larger than is read of one. Save the sheet as CSV (UTF-8) and upload that.')

/**
 * The first sheet of a workbook (`.xlsx`) as CSV, a line for each row. Numbers stay as the file has them, dates become
 * ISO 8601. Throws `unsupported` for another archive, and `too_large` when its parts exceed the limit.
 */
export const spreadsheetAsCsv = async ({ bytes }: { readonly bytes: Uint8Array }): Promise<Uint8Array> => {
  // Packed again without compression, so that the reader unpacks no more than was allowed.
  const parts = zipSync(unpacked(bytes), { level: 0 })
  const input = parts.buffer.slice(parts.byteOffset, parts.byteOffset + parts.byteLength) as ArrayBuffer
  const rows = await readSheet(input, 1, { parseNumber: (written: string) => written, trim: false }).catch(() => {
    throw notAWorkbook()
  })
  return Buffer.from(rows.map(row => `${row.map(fieldOf).join(',')}\n`).join(''))
}

type Parts = Readonly<Record<string, Uint8Array>>

/** The parts that are read: the first sheet with its references. */
const unpacked = (bytes: Uint8Array): Parts => {
  let left = MAX_UNPACKED_BYTES
  // The archive's own length of a part limits what is unpacked.
  const unpack = (isWanted: (name: string) => boolean): Parts => {
    try {
      return unzipSync(bytes, {
        filter: ({ name, originalSize }) => {
          if (!isWanted(name)) return false
          left -= originalSize
          if (left < 0) throw tooLargeSheet()
          return true
        },
      })
    } catch (error) {
      throw isAssayError(error) ? error : notAWorkbook()
    }
  }
  const shared = unpack(name => SHARED_PARTS.test(name))
  const path = firstSheetIn(shared)
  const sheets = unpack(name => name === path)
  const sheet = sheets[path]
  if (shared['xl/workbook.xml'] === undefined || sheet === undefined) throw notAWorkbook()
  requireShort(sheet)
  return { ...shared, ...sheets }
}

const textOf = (part: Uint8Array | undefined): string => Buffer.from(part ?? []).toString('latin1')

const attributeOf = (tag: string, name: RegExp): string | undefined =>
  [...tag.matchAll(/([\w:]{1,40})="([^"]{0,500})"/g)].find(([, key = '']) => name.test(key))?.[2]

/** Path of the first sheet in the archive. */
const firstSheetIn = (parts: Parts): string => {
  const [sheet = ''] = /<(?:\w{1,20}:)?sheet\s[^<>]{0,2000}>/.exec(textOf(parts['xl/workbook.xml'])) ?? []
  const id = attributeOf(sheet, /:id$/)
  for (const [tag] of textOf(parts['xl/_rels/workbook.xml.rels']).matchAll(
    /<(?:\w{1,20}:)?Relationship\s[^<>]{0,2000}>/g,
  )) {
    const target = attributeOf(tag, /^Target$/)
    if (target !== undefined && attributeOf(tag, /^Id$/) === id) return target.replace(/^(?:\/xl\/)?/, 'xl/')
  }
  return 'xl/worksheets/sheet1.xml'
}

const CELL_AT = /<(?:\w{1,20}:)?c\s[^<>]{0,200}?\br="([A-Z]{1,3})(\d{1,7})"/g

/** Throws `too_large` when a cell is so far out that the table up to it would be too large. */
const requireShort = (sheet: Uint8Array): void => {
  let [rows, columns] = [0, 0]
  for (const [, letters = '', row] of textOf(sheet).matchAll(CELL_AT)) {
    const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
    rows = Math.max(rows, Number(row))
    columns = Math.max(columns, column)
    if (rows > MAX_ROWS || rows * columns > MAX_CELLS) throw tooLargeSheet()
  }
}

const MIDNIGHT = 'T00:00:00.000Z'

/** Always quoted, so that no character of a text is taken for the delimiter. */
const fieldOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = value instanceof Date ? writtenDate(value) : String(value)
  return `"${text.replaceAll('"', '""')}"`
}

const writtenDate = (date: Date): string => {
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  return iso.endsWith(MIDNIGHT) ? iso.slice(0, -MIDNIGHT.length) : iso.replace('.000Z', 'Z')
}
