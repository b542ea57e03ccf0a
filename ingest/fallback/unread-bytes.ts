import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { append, EMPTY } from '../http/pieces.ts'

/** What is kept in memory of a body that nobody has read yet. */
const MAX_MEMORY_BYTES = 1024 * 1024
/** What is kept in memory of all such bodies together: what comes while others fill it goes into files. */
const MAX_MEMORY_OF_ALL_BYTES = 64 * 1024 * 1024
let memoryOfAll = 0
/** How much of the file is read at once. */
const PIECE_BYTES = 256 * 1024

/** Bytes that came before somebody asked for them, in the order in which they came. */
export interface UnreadBytes {
  /** Copies the bytes, which may be of memory that is used again. Throws where the disk takes no more. */
  add(bytes: Uint8Array): void
  /** The next bytes, at most a MiB; null when there are none. */
  take(): Uint8Array | null
  size(): number
  /** Frees the memory and the file. Nothing is kept from then on. */
  drop(): void
}

/**
 * A file without a name in any folder: the system removes it when this process ends, also after a crash. Its content is
 * encrypted with a key that only this process knows.
 */
const openHiddenFile = () => {
  const path = join(tmpdir(), `assay-unread-${randomUUID()}`)
  const descriptor = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  const [key, start] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv('aes-256-ctr', key, start)
  const decipher = createDecipheriv('aes-256-ctr', key, start)
  // Where the next byte is written and read. A file that was read to its end begins again at 0.
  let [writtenTo, readTo] = [0, 0]
  return {
    write: (bytes: Uint8Array): void => {
      const sealed = cipher.update(bytes)
      for (let at = 0; at < sealed.byteLength; ) {
        const written = writeSync(descriptor, sealed, at, sealed.byteLength - at, writtenTo)
        at += written
        writtenTo += written
      }
    },
    read: (): Uint8Array | null => {
      if (readTo === writtenTo) return null
      const sealed = Buffer.allocUnsafe(Math.min(PIECE_BYTES, writtenTo - readTo))
      const read = readSync(descriptor, sealed, 0, sealed.byteLength, readTo)
      readTo += read
      if (readTo === writtenTo) {
        ftruncateSync(descriptor, 0)
        writtenTo = 0
        readTo = 0
      }
      return decipher.update(sealed.subarray(0, read))
    },
    close: () => closeSync(descriptor),
  }
}

/** Keeps the first MiB in memory and what comes beyond it in a file, until all of that has been read. */
export const createUnreadBytes = (): UnreadBytes => {
  let inMemory: Buffer = EMPTY
  let memoryBytes = 0
  let file: ReturnType<typeof openHiddenFile> | null = null
  let fileBytes = 0
  let isDropped = false
  const takeMemory = (): Uint8Array => {
    const bytes = inMemory.subarray(0, memoryBytes)
    inMemory = EMPTY
    memoryOfAll -= memoryBytes
    memoryBytes = 0
    return bytes
  }
  return {
    add: bytes => {
      if (isDropped || bytes.byteLength === 0) return
      const fits = memoryBytes + bytes.byteLength <= MAX_MEMORY_BYTES
      if (fileBytes === 0 && fits && memoryOfAll + bytes.byteLength <= MAX_MEMORY_OF_ALL_BYTES) {
        inMemory = append(inMemory, memoryBytes, bytes, false)
        memoryBytes += bytes.byteLength
        memoryOfAll += bytes.byteLength
        return
      }
      file ??= openHiddenFile()
      file.write(bytes)
      fileBytes += bytes.byteLength
    },
    take: () => {
      if (memoryBytes > 0) return takeMemory()
      const bytes = file?.read() ?? null
      fileBytes -= bytes?.byteLength ?? 0
      return bytes
    },
    size: () => memoryBytes + fileBytes,
    drop: () => {
      isDropped = true
      takeMemory()
      fileBytes = 0
      file?.close()
      file = null
    },
  }
}
