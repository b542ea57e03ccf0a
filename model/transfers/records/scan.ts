/** The longest record that is read, in bytes: what the edge takes of one signal. */
export const MAX_RECORD_BYTES = 768 * 1024

/** A record found in bytes: what it says, and where the next one begins. */
interface Scanned<Content> {
  readonly content: Content
  readonly next: number
}

/**
 * Finds the record that begins at `from`; null when more bytes are needed to see its end. At the end of the file (`isLast`) what is left is a
 * record. Only ASCII signs structure a record, so bytes of UTF-8 can be scanned as they are.
 */
export type Scan<Content> = (bytes: Buffer, from: number, isLast: boolean) => Scanned<Content> | null

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** A line without its end, as bytes. */
export const scanLine: Scan<Buffer> = (bytes, from, isLast) => {
  const end = bytes.indexOf(LINE_FEED, from)
  if (end === -1 && !isLast) return null
  const to = end === -1 ? bytes.length : end
  const content = bytes.subarray(from, to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to)
  return { content, next: end === -1 ? bytes.length : end + 1 }
}
