import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { append, EMPTY } from '../http/pieces.ts'

/** Bytes of one unread body kept in memory. */
const MAX_MEMORY_BYTES = 1024 * 1024
/** Bytes of all unread bodies kept in memory. Beyond this they go into files. */
const MAX_MEMORY_OF_ALL_BYTES = 64 * 1024 * 1024
let memoryOfAll = 0
/** Bytes read from the file at once. */
const PIECE_BYTES = 256 * 1024

/** Bytes that arrived before they were requested, in order. */
export interface UnreadBytes {
  /** Copies the bytes, since the caller may reuse their memory. Throws when the disk is full. */
  add(bytes: Uint8Array): void
  /** The next bytes, at most 1 MiB; null when there are none. */
  take(): Uint8Array | null
  size(): number
  /** Frees memory and file. Later bytes are ignored. */
  drop(): void
}

/**
 * A file without a name in any directory: the system removes it when this process ends, even by a crash. Its content is
 * encrypted with a key in this process' memory.
 */
const openHiddenFile = () => {
  const path = join(tmpdir(), `assay-unread-${randomUUID()}`)
  const descriptor = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  const [key, start] = [randomBytes(32), randomBytes(16)]
  const cipher = createCipheriv('aes-256-ctr', key, start)
  const decipher = createDecipheriv('aes-256-ctr', key, start)
  // Positions of the next write and read. Both return to 0 when the file was read to its end.
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

/** Keeps the first MiB in memory, and the rest in a file until that was read. */
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
