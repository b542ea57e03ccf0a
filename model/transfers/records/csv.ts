import type { Delimiter } from '../../../schemas/transfers/fields.ts'
import type { Scan } from './scan.ts'

const QUOTE = 0x22
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** The fields of a record, or why it is none. */
export type CsvRecord =
  | { readonly ok: true; readonly fields: readonly string[] }
  | { readonly ok: false; readonly reason: string }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A scan of CSV (RFC 4180): fields between delimiters, those in quotes with delimiters, line ends and doubled quotes inside. Lines end in CR LF,
 * LF or CR. A quote inside of a field that does not begin with one is a sign like any other.
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
      // Behind a closing quote the field is over; what else stands there belongs to nothing.
      const end = fieldEnd(bytes, closed === null ? at : closed + 1, separator)
      if (end === bytes.length && !isLast) return null
      if (closed !== null && end > closed + 1) reason ??= 'Text stands behind the closing quote of a field.'
      const text = decoded(closed === null ? bytes.subarray(at, end) : bytes.subarray(at + 1, closed))
      if (text === null) reason ??= NOT_UTF8
      else fields.push(closed === null ? text : text.replaceAll('""', '"'))
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

/** Where the quote is that ends the field; null when it is not there yet. */
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

/** Where the next line begins; null when the line feed of a CR LF may still come. */
const afterLineEnd = (bytes: Buffer, end: number, isLast: boolean): number | null => {
  if (end === bytes.length) return end
  if (bytes[end] === LINE_FEED) return end + 1
  if (end + 1 === bytes.length && !isLast) return null
  return bytes[end + 1] === LINE_FEED ? end + 2 : end + 1
}
