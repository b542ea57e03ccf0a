import fs from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { boundTimers } from '../../runtime/timers.ts'

/** PostgreSQL in this thread. One session: whoever uses it takes turns. */
export interface Engine {
  /** Sends messages of the wire protocol and answers what came back. Blocks the thread until the work is done. */
  exchange(messages: Buffer): Buffer
  /**
   * Has the statement that runs end with PostgreSQL's own error (57014), at the next place where it looks for
   * interrupts. To be called out of an interrupt of this thread: nothing else runs in it meanwhile.
   */
  cancel(): void
  /** The whole data directory as a tar archive. */
  dump(): Promise<Blob>
  /** Writes a checkpoint and ends the engine. */
  close(): Promise<void>
}

export interface EngineOptions {
  /** Where the data lives; in memory unless told. */
  readonly directory?: string
  /** A `dump` to begin with. */
  readonly template?: Blob
}

const NO_FSYNC = '-F'
/**
 * PGlite's own, but with fsync on, by the one call that its file system passes on, and with half the memory for pages.
 */
const DURABLE = [
  ...PGlite.defaultStartParams.filter(option => option !== NO_FSYNC),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=64MB',
]

/**
 * Has the engine's fsync reach the disk. PGlite switches it off, and its file system over Node's would do nothing: a
 * commit would survive a killed process, but not a power cut.
 */
const passFsyncOn = (db: PGlite): void => {
  // Emscripten's types leave out what a file system is made of.
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
 * PostgreSQL's two flags, which the handler of a cancel request would set (`StatementCancelHandler`); signals do not
 * reach WebAssembly.
 */
const cancelFlags = (db: PGlite) => {
  // Addresses that PGlite exports for its extensions; Emscripten's types do not know them.
  const { _InterruptPending: interrupt, _QueryCancelPending: cancel } = db.Module as unknown as Partial<
    Record<'_InterruptPending' | '_QueryCancelPending', number>
  >
  if (typeof interrupt !== 'number' || typeof cancel !== 'number')
    throw new Error('PGlite does not show its interrupts as it did: no statement could be ended')
  const set = (value: 0 | 1) => {
    // Looked up each time: memory that grows is another array.
    db.Module.HEAPU8[cancel] = value
    db.Module.HEAPU8[interrupt] = value
  }
  return { raise: () => set(1), clear: () => set(0) }
}

export const openEngine = async ({ directory, template }: EngineOptions): Promise<Engine> => {
  // PostgreSQL sets its timers by the clock. While that was set back by a year, each fired 29,597 times in 45 s.
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
      // The streaming form runs to its end before its first await; the other forms keep every answer in memory.
      void db.execProtocolRawStream(messages, {
        syncToFs: false,
        // A view of WebAssembly's memory, which the next message overwrites.
        onRawData: bytes => parts.push(Buffer.from(bytes)),
      })
      // What came too late for this statement is not for the next one.
      if (isCancelled) flags.clear()
      isCancelled = false
      return Buffer.concat(parts)
    },
    dump: () => db.dumpDataDir('none'),
    close: () => db.close(),
  }
}
