import { occurrences, type Span } from './detectors/detector.ts'

/** Base64 and base64url, as a value or as a part of a token (RFC 4648, RFC 7519). */
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g
/** A short value in base64: in a link, in quotes or behind a colon. */
const SHORT = /[=/#:"']([A-Za-z0-9+_-]{8,15}={0,2})(?![A-Za-z0-9+/_=-])/g
/** A part of a path: base64 has the slash, too. */
const PART = /[^/]{8,}/g
const MAX_LENGTH = 8_192
const READABLE = /^[\t\n\r\u0020-\u007e\u00a0-\u024f]+$/
/** Addresses and numbers have a digit or an "@". Most paths are not decoded because of this. */
const MAY_HOLD = /[@\d]/

export interface Decoded extends Span {
  readonly text: string
}

/** Base64 values that hold readable text, decoded, in the text's order. */
export const decodedValues = (text: string): readonly Decoded[] => {
  const found: Decoded[] = []
  for (const { 0: value, index } of occurrences(ENCODED, text)) {
    if (value.length > MAX_LENGTH) continue
    const whole = decoded(value, index)
    if (whole !== null) found.push(whole)
    else if (value.includes('/'))
      for (const { 0: part, index: place } of occurrences(PART, value)) {
        const piece = decoded(part, index + place)
        if (piece !== null) found.push(piece)
      }
  }
  for (const { 1: value = '', index } of occurrences(SHORT, text)) {
    const short = decoded(value, index + 1)
    if (short?.text.includes('@') === true) found.push(short)
  }
  return found.toSorted((a, b) => a.start - b.start)
}

const decoded = (value: string, start: number): Decoded | null => {
  const text = Buffer.from(value, 'base64').toString('utf8')
  return READABLE.test(text) && MAY_HOLD.test(text) ? { start, end: start + value.length, text } : null
}
