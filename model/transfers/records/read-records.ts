import { yieldToEventLoop } from '../../../infra/runtime/yielding.ts'
import { MAX_RECORD_BYTES, type Scan } from './formats.ts'

/** A record with its position in the file. */
export interface RecordAt<Content> {
  readonly content: Content | 'too_long'
  /** Byte at which the next record begins. */
  readonly next: number
  /** Line on which it begins, from 1. */
  readonly line: number
  /** Line on which the next record begins. */
  readonly nextLine: number
}

/** A byte of the file with its line. */
export interface FilePosition {
  readonly byte: number
  readonly line: number
}

export const FILE_START: FilePosition = { byte: 0, line: 1 }

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Records of a file from a position, as its bytes come. A record that is too long is reported as such and skipped to
 * the end of its line. `bytes` begin at the position. Empty lines are records, too.
 */
export async function* readRecords<Content>(
  bytes: AsyncIterable<Uint8Array>,
  scan: Scan<Content>,
  from: FilePosition = FILE_START,
  mostBytes: number = MAX_RECORD_BYTES,
): AsyncGenerator<RecordAt<Content>> {
  let remainder = Buffer.alloc(0)
  let at = 0
  let { byte, line } = from
  let skipping = false
  let isFirst = from.byte === 0

  /** Yields to the event loop between records: a piece has thousands, and their treatment may await nothing. */
  async function* inTurns(records: Generator<RecordAt<Content>>): AsyncGenerator<RecordAt<Content>> {
    for (const record of records) {
      await yieldToEventLoop()
      yield record
    }
  }

  function* records(isLast: boolean): Generator<RecordAt<Content>> {
    if (isFirst && (remainder.length >= BYTE_ORDER_MARK.length || isLast)) {
      isFirst = false
      if (remainder.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
        at = BYTE_ORDER_MARK.length
        byte += at
      }
    }
    if (isFirst) return
    while (at < remainder.length) {
      if (skipping) {
        const end = remainder.indexOf(0x0a, at)
        if (end === -1 && !isLast) {
          byte += remainder.length - at
          at = remainder.length
          return
        }
        const next = end === -1 ? remainder.length : end + 1
        byte += next - at
        at = next
        skipping = false
        yield { content: 'too_long', next: byte, line, nextLine: line + 1 }
        line += 1
        continue
      }
      const scanned = scan(remainder, at, isLast)
      if (scanned === null) {
        if (remainder.length - at <= mostBytes) return
        skipping = true
        continue
      }
      const nextLine = line + Math.max(1, linesIn(remainder, at, scanned.next))
      byte += scanned.next - at
      const tooLong = scanned.next - at > mostBytes
      at = scanned.next
      yield { content: tooLong ? 'too_long' : scanned.content, next: byte, line, nextLine }
      line = nextLine
    }
  }

  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    waitingBytes += chunk.length
    // An unfinished record is scanned again once it is twice as long, so that the total time stays linear.
    if (waitingBytes < remainder.length - at) continue
    remainder = Buffer.concat([remainder.subarray(at), ...waiting])
    waiting = []
    waitingBytes = 0
    at = 0
    yield* inTurns(records(false))
  }
  remainder = Buffer.concat([remainder.subarray(at), ...waiting])
  at = 0
  // Runs before the last record, so that a record that is too long is recognized first.
  yield* inTurns(records(false))
  yield* inTurns(records(true))
}

/** Number of line ends between two bytes; CR LF counts as one. */
const linesIn = (bytes: Buffer, from: number, to: number): number => {
  let lines = 0
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)) lines += 1
  }
  return lines
}
