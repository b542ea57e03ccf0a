import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../../schemas/http/json-signs.ts'

/** An array whose elements may be the records of a JSON file. */
interface RecordsAt {
  /** Member of the outermost object that is or contains the array; null for the file's own array. */
  readonly member: string | null
  readonly begins: number
}

interface JsonOutline {
  /** The file's own array, or arrays of objects in the outermost object, at any level up to `MAX_LEVEL`. */
  readonly arrays: readonly RecordsAt[]
  /** Members of the outermost object that begin in these bytes. */
  readonly members: ReadonlySet<string>
  /** Position behind the outermost object; null when its end is not in these bytes. */
  readonly ends: number | null
}

/** Deepest level of records in an answer of an API. */
const MAX_LEVEL = 5

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Position of the first character that is neither a byte order mark nor white space. */
export const firstSign = (bytes: Buffer, from = 0): number => {
  let at =
    from === 0 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : from
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at += 1
  return at
}

/** The outermost level of JSON by its beginning, in one pass. */
export const jsonOutline = (bytes: Buffer): JsonOutline => {
  const first = firstSign(bytes)
  const members = new Set<string>()
  if (bytes[first] === OPEN_ARRAY) return { arrays: [{ member: null, begins: first + 1 }], members, ends: null }
  const arrays: RecordsAt[] = []
  let level = 0
  let openArrays = 0
  let name: string | null = null
  let isName = false
  for (let at = first; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const closing = closingQuote(bytes, at + 1)
      if (level === 1 && isName) {
        name = bytes.toString('utf8', at + 1, closing)
        members.add(name)
      }
      at = closing
    } else if (byte === COLON || byte === COMMA) {
      if (level === 1) isName = byte === COMMA
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      const isOfObjects = byte === OPEN_ARRAY && bytes[firstSign(bytes, at + 1)] === OPEN_OBJECT
      const isWithinObjects = level <= MAX_LEVEL && openArrays === 0
      if (isWithinObjects && isOfObjects) arrays.push({ member: name, begins: at + 1 })
      if (byte === OPEN_ARRAY) openArrays += 1
      level += 1
      if (level === 1) isName = true
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (byte === CLOSE_ARRAY) openArrays -= 1
      level -= 1
      if (level <= 0) return { arrays, members, ends: at + 1 }
    }
  }
  return { arrays, members, ends: null }
}

const closingQuote = (bytes: Buffer, from: number): number => {
  let at = from
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
