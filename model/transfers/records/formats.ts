import { AssayError } from '../../../infra/runtime/errors.ts'
import type { TransferFormat } from '../../../schemas/domain/vocabulary.ts'
import { OPEN_OBJECT, QUOTE } from '../../../schemas/http/json-signs.ts'
import type { Delimiter } from '../../../schemas/transfers/columns.ts'
import { textInField } from './csv-field.ts'
import { firstSign, jsonOutline } from './json-outline.ts'

/** Bytes of a file that suffice to tell its format. */
export const SNIFF_BYTES = 4096

const ZIP = Buffer.from('PK')
const GZIP = Buffer.from([0x1f, 0x8b])
const EXPORT_BEGINS = '{"assay_export":'

const begins = (beginning: Uint8Array, sign: Buffer): boolean => sign.equals(beginning.subarray(0, sign.length))

/** True when the first bytes are those of an archive, such as a workbook (`.xlsx`). */
export const isArchive = (beginning: Uint8Array): boolean => begins(beginning, ZIP)

/** Throws `unsupported`, with advice, for a file that is compressed as a whole, by its first bytes. */
export const refusePacked = (beginning: Uint8Array): void => {
  if (begins(beginning, GZIP)) throw unsupported('It is compressed. Unpack it and upload what is inside.')
}

/** The format of a file by its beginning as UTF-8, whatever its name is. Throws `unsupported` for other content. */
export const formatOf = (beginning: Uint8Array): TransferFormat => {
  const bytes = Buffer.from(beginning.buffer, beginning.byteOffset, Math.min(beginning.length, SNIFF_BYTES))
  if (bytes.includes(0)) throw unsupported('It is no text.')
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (text === '') throw new AssayError('invalid_input', 'The file is empty.')
  if (text.startsWith(EXPORT_BEGINS)) return 'workspace'
  if (text.startsWith('{'))
    return formatOfObjects(Buffer.from(beginning.buffer, beginning.byteOffset, beginning.length))
  return /^\[\s*[{\]]/.test(text) ? 'json' : 'csv'
}

/**
 * `json_lines` when each line is a body of the webhook with its text; `json` for other tools: one object that holds the
 * records, or an object for each record.
 */
const formatOfObjects = (beginning: Buffer): 'json_lines' | 'json' => {
  const { members, ends } = jsonOutline(beginning)
  const lineEnd = beginning.indexOf(LINE_FEED, firstSign(beginning))
  const hasLines = lineEnd === -1 || (ends !== null && ends <= lineEnd)
  // A broken first line does not close its object, and the next line opens its own.
  const isBroken = ends === null && lineEnd !== -1 && beginning[lineEnd + 1] === OPEN_OBJECT
  return isBroken || (hasLines && (members.has('text') || members.size === 0)) ? 'json_lines' : 'json'
}

const unsupported = (why: string): AssayError =>
  new AssayError(
    'unsupported',
    `The file cannot be imported. ${why} CSV, Excel workbooks, JSON, JSON Lines and exports of Assay are taken.`,
  )

/** Longest record that is read, in bytes: the edge's limit for a signal. */
export const MAX_RECORD_BYTES = 768 * 1024
/** Spreadsheets of feedback have some ten columns; metadata takes 500. */
export const MAX_FIELDS = 2000
const TOO_MANY_FIELDS = `It has more than ${MAX_FIELDS} fields. Remove columns, or choose the sign between the fields.`

/** A record with the position of the next one. */
interface Scanned<Content> {
  readonly content: Content
  readonly next: number
}

/**
 * Finds the record that begins at `from`; null when its end is not in the bytes yet. At the end of the file (`isLast`)
 * the rest is a record. Only ASCII characters structure a record, so UTF-8 can be scanned as bytes.
 */
export type Scan<Content> = (bytes: Buffer, from: number, isLast: boolean) => Scanned<Content> | null

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Scans a line as bytes, without its end. */
export const scanLine: Scan<Buffer> = (bytes, from, isLast) => {
  const end = bytes.indexOf(LINE_FEED, from)
  if (end === -1 && !isLast) return null
  const to = end === -1 ? bytes.length : end
  const content = bytes.subarray(from, to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to)
  return { content, next: end === -1 ? bytes.length : end + 1 }
}

/** The fields of a record, or the reason why it is none. */
export type CsvRecord =
  | { readonly ok: true; readonly fields: readonly string[] }
  | { readonly ok: false; readonly reason: string }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Scans CSV (RFC 4180): fields between delimiters; quoted fields may contain delimiters, line ends and doubled quotes.
 * Lines end with CR LF, LF or CR. A quote inside of an unquoted field is an ordinary character. Apostrophes that
 * `csvField` puts before formulas are removed.
 */
export const csvScan =
  (delimiter: Delimiter): Scan<CsvRecord> =>
  (bytes, from, isLast) => {
    const separator = delimiter.charCodeAt(0)
    const fields: string[] = []
    let reason: string | null = null
    for (let at = from; ; ) {
      const quoted = bytes[at] === QUOTE
      const closed = quoted ? closingQuote(bytes, at + 1, isLast) : null
      if (quoted && closed === null) {
        if (!isLast) return null
        return {
          content: { ok: false, reason: 'A quoted field is not closed before the file ends.' },
          next: bytes.length,
        }
      }
      // A field ends with its closing quote; other characters before the delimiter are ignored.
      const end = fieldEnd(bytes, closed === null ? at : closed + 1, separator)
      if (end === bytes.length && !isLast) return null
      if (closed !== null && end > closed + 1) reason ??= 'Text stands behind the closing quote of a field.'
      if (fields.length === MAX_FIELDS) reason ??= TOO_MANY_FIELDS
      // After an error the end of the record is still searched, but its fields are not read.
      const text = reason === null ? decoded(bytes.subarray(closed === null ? at : at + 1, closed ?? end)) : ''
      if (text === null) reason = NOT_UTF8
      else if (reason === null) fields.push(textInField(closed === null ? text : text.replaceAll('""', '"')))
      if (end < bytes.length && bytes[end] === separator) {
        at = end + 1
        continue
      }
      const next = afterLineEnd(bytes, end, isLast)
      if (next === null) return null
      return { content: reason === null ? { ok: true, fields } : { ok: false, reason }, next }
    }
  }

export const NOT_UTF8 = 'The text is not UTF-8. Save the file as UTF-8 and upload it again.'

const decoded = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Position of the quote that closes the field; null when it is not in the bytes yet. */
const closingQuote = (bytes: Buffer, from: number, isLast: boolean): number | null => {
  for (let at = bytes.indexOf(QUOTE, from); at !== -1; at = bytes.indexOf(QUOTE, at + 2)) {
    // The last byte may be the first half of a doubled quote.
    if (at + 1 === bytes.length) return isLast ? at : null
    if (bytes[at + 1] !== QUOTE) return at
  }
  return null
}

const fieldEnd = (bytes: Buffer, from: number, separator: number): number => {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at]
    if (byte === separator || byte === LINE_FEED || byte === CARRIAGE_RETURN) return at
    at += 1
  }
  return at
}

/** Beginning of the next line; null when the line feed of a CR LF may still come. */
const afterLineEnd = (bytes: Buffer, end: number, isLast: boolean): number | null => {
  if (end === bytes.length) return end
  if (bytes[end] === LINE_FEED) return end + 1
  if (end + 1 === bytes.length && !isLast) return null
  return bytes[end + 1] === LINE_FEED ? end + 2 : end + 1
}
