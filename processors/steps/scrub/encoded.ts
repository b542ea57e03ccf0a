import type { Span } from './detectors/detector.ts'
import { occurrences } from './detectors/occurrences.ts'

/** Base64, also of the kind for links, as one value or as a part of a token (RFC 4648, RFC 7519). */
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g
const MAX_LENGTH = 8_192
const READABLE = /^[\t\n\r\u0020-\u007e\u00a0-\u024f]+$/
/** Addresses and numbers have a digit or an "@"; a path is spared the decoding, mostly. */
const MAY_HOLD = /[@\d]/

export interface Decoded extends Span {
  readonly text: string
}

/** Values in base64 that hold readable text, decoded. */
export function* decodedValues(text: string): Iterable<Decoded> {
  for (const { 0: value, index } of occurrences(ENCODED, text)) {
    if (value.length > MAX_LENGTH) continue
    const decoded = Buffer.from(value, 'base64').toString('utf8')
    if (READABLE.test(decoded) && MAY_HOLD.test(decoded)) {
      yield { start: index, end: index + value.length, text: decoded }
    }
  }
}
