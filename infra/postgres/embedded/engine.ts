import fs from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { boundTimers } from '../../runtime/timers.ts'

/** PostgreSQL in this thread, with a single session. */
export interface Engine {
  /** Sends messages of the wire protocol and returns the answer. Blocks the thread until the work is done. */
  exchange(messages: Buffer): Buffer
  /**
   * Makes the running statement end with PostgreSQL's error 57014 at its next check for interrupts. Call from an
   * interrupt of this thread, since nothing else runs meanwhile.
   */
  cancel(): void
  /** The whole data directory as a tar archive. */
  dump(): Promise<Blob>
  /** Writes a checkpoint and ends the engine. */
  close(): Promise<void>
}

export interface EngineOptions {
  /** The data directory; in memory unless given. */
  readonly directory?: string
  /** A `dump` to start from. */
  readonly template?: Blob
}

const NO_FSYNC = '-F'
/**
 * PGlite's parameters, but with fsync, by the one call that its file system passes on, and with half the memory for
 * pages.
 */
const DURABLE = [
  ...PGlite.defaultStartParams.filter(option => option !== NO_FSYNC),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=64MB',
]

/**
 * Makes the engine's fsync reach the disk. PGlite switches fsync off, and its file system over Node ignores it: a
 * commit would survive a killed process, but not a power cut.
 */
const passFsyncOn = (db: PGlite): void => {
  // Emscripten's types leave out a file system's operations.
  const { NODEFS } = db.Module.FS.filesystems as {
    NODEFS?: { stream_ops?: { fsync?: (stream: { readonly nfd: number }) => number } }
  }
  if (NODEFS?.stream_ops === undefined)
    throw new Error('PGlite’s file system is not built as it was: its commits would not be durable')
  NODEFS.stream_ops.fsync = stream => {
    fs.fsyncSync(stream.nfd)
    return 0
  }
}

/**
 * PostgreSQL's two flags of a cancel request, which `StatementCancelHandler` sets on a server; signals do not reach
 * WebAssembly.
 */
const cancelFlags = (db: PGlite) => {
  // Addresses that PGlite exports for its extensions, missing in Emscripten's types.
  const { _InterruptPending: interrupt, _QueryCancelPending: cancel } = db.Module as unknown as Partial<
    Record<'_InterruptPending' | '_QueryCancelPending', number>
  >
  if (typeof interrupt !== 'number' || typeof cancel !== 'number')
    throw new Error('PGlite does not show its interrupts as it did: no statement could be ended')
  const set = (value: 0 | 1) => {
    // Read each time: growing memory becomes another array.
    db.Module.HEAPU8[cancel] = value
    db.Module.HEAPU8[interrupt] = value
  }
  return { raise: () => set(1), clear: () => set(0) }
}

/**
 * Opens PGlite. Throws when its internals are not as expected: commits would then not be durable, or statements could
 * not be ended.
 */
export const openEngine = async ({ directory, template }: EngineOptions): Promise<Engine> => {
  // PostgreSQL computes timers from the clock. After the clock was set back a year, each fired 29,597 times in 45 s.
  boundTimers()
  const db = await PGlite.create({
    extensions: { vector },
    ...(directory === undefined ? {} : { dataDir: directory, startParams: DURABLE }),
    ...(template === undefined ? {} : { loadDataDir: template }),
  })
  if (directory !== undefined) passFsyncOn(db)
  const flags = cancelFlags(db)
  let isCancelled = false
  return {
    cancel() {
      isCancelled = true
      flags.raise()
    },
    exchange(messages) {
      const parts: Buffer[] = []
      // The streaming call runs to its end before its first await; the other calls keep every answer in memory.
      void db.execProtocolRawStream(messages, {
        syncToFs: false,
        // Copied from a view of WebAssembly's memory, which the next message overwrites.
        onRawData: bytes => parts.push(Buffer.from(bytes)),
      })
      // A cancel that came too late for this statement must not end the next.
      if (isCancelled) flags.clear()
      isCancelled = false
      return Buffer.concat(parts)
    },
    dump: () => db.dumpDataDir('none'),
    close: () => db.close(),
  }
}
