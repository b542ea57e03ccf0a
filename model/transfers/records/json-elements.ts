import { yieldToEventLoop } from '../../../infra/runtime/yielding.ts'
import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../../schemas/http/json-signs.ts'
import { MAX_RECORD_BYTES } from './formats.ts'
import type { FilePosition, RecordAt } from './read-records.ts'

/** Beyond the end of any file: the rest of the file has no records. */
const END_OF_FILE = Number.MAX_SAFE_INTEGER
const NOTHING = Buffer.alloc(0)

/**
 * The values of JSON from a position between two of them: the elements of an array up to its bracket, or values one
 * after the other. Values that are too long are reported as such and skipped, so that memory stays bounded. `line` is
 * the number of the element. The last record is empty and has the end of the file.
 */
export async function* readElements(
  bytes: AsyncIterable<Uint8Array>,
  from: FilePosition,
  mostBytes: number = MAX_RECORD_BYTES,
): AsyncGenerator<RecordAt<Buffer>> {
  let { byte, line } = from
  let parts: Buffer[] = []
  let length = 0
  let level = 0
  let isOpen = false
  let isText = false
  let isEscaped = false

  const take = (part: Buffer): void => {
    length += part.length
    if (length > mostBytes) parts = []
    else parts.push(part)
  }
  const close = (next: number): RecordAt<Buffer> => {
    const content = length > mostBytes ? 'too_long' : Buffer.concat(parts)
    const element = { content, next, line, nextLine: line + 1 } as const
    line += 1
    parts = []
    length = 0
    isOpen = false
    return element
  }
  const over = (next: number): RecordAt<Buffer> => ({ content: NOTHING, next, line, nextLine: line })

  for await (const given of bytes) {
    const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const sign = chunk[at] ?? 0
      let isWhole = false
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (sign === BACKSLASH) isEscaped = true
        else if (sign === QUOTE) {
          isText = false
          isWhole = level === 0
        }
      } else if (level === 0 && (sign <= 0x20 || sign === COMMA || sign === CLOSE_ARRAY || sign === CLOSE_OBJECT)) {
        if (isOpen) {
          // A number or a word ends before this character.
          take(chunk.subarray(start, at))
          await yieldToEventLoop()
          yield close(byte + at)
        }
        if (sign !== CLOSE_ARRAY && sign !== CLOSE_OBJECT) continue
        yield over(END_OF_FILE)
        return
      } else {
        if (!isOpen) start = at
        isOpen = true
        if (sign === QUOTE) isText = true
        else if (sign === OPEN_OBJECT || sign === OPEN_ARRAY) level += 1
        else if (sign === CLOSE_OBJECT || sign === CLOSE_ARRAY) {
          level -= 1
          isWhole = level === 0
        }
      }
      if (!isWhole) continue
      take(chunk.subarray(start, at + 1))
      await yieldToEventLoop()
      yield close(byte + at + 1)
    }
    if (isOpen) take(chunk.subarray(start))
    byte += chunk.length
  }
  if (isOpen) yield close(byte)
  yield over(byte)
}
