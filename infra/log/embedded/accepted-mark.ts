import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { AssayError } from '../../runtime/errors.ts'

const FILE = 'accepted'

const write = (total: number): string => {
  const digits = String(total).padStart(16, '0')
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`
}

/** Null when there is none, or none that can be believed. */
const read = (file: string): number | null => {
  try {
    const text = readFileSync(file, 'utf8')
    const total = Number(text.slice(0, 16))
    return text === write(total) ? total : null
  } catch {
    return null
  }
}

/**
 * How many records were ever accepted, beside the log's file and written after each of its commits. SQLite takes a torn or missing
 * write-ahead log for the end of what was written; this tells that there was more. It is not flushed: after a power cut it may be behind the
 * log, and never ahead of it.
 *
 * `total` is what the log's file knows of. Throws `damaged` when that is less.
 */
export const openAcceptedMark = (directory: string, total: number) => {
  const file = join(directory, FILE)
  const marked = read(file)
  if (marked !== null && marked > total) {
    throw new AssayError(
      'damaged',
      `The log in ${directory} lacks ${marked - total} records that it had accepted: log.sqlite or log.sqlite-wal is torn, missing or an older one. ` +
        `Restore the whole data directory from a backup. To go on without these records, remove ${file}.`,
    )
  }
  const descriptor = openSync(file, constants.O_CREAT | constants.O_WRONLY, 0o600)
  let last = -1
  const note = (now: number): void => {
    if (now === last) return
    writeSync(descriptor, write(now), 0)
    last = now
  }
  note(total)
  return { note, close: () => closeSync(descriptor) }
}
