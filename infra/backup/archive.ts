import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { pack } from 'tar-stream'
import { nullWhereMissing } from '../runtime/errors.ts'

/** The parts of a backup: each is a folder, and the key a file. */
export const PARTS = ['log', 'postgres', 'clickhouse', 'key'] as const
type Part = (typeof PARTS)[number]

/** The format that this version writes; readers refuse another. */
export const FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'
export const KEY_FILE = 'installation.key'
/** The key in force, and the previous key while there is one. */
export const KEY_FILES: readonly string[] = [KEY_FILE, `${KEY_FILE}.before`]

/** The size and checksum of a part: SHA-256 over path, length and bytes of its files, in their order. */
interface PartSum {
  readonly files: number
  readonly bytes: number
  readonly sha256: string
}

/** Figures counted just before the moment that the backup shows. */
export interface BackupFacts {
  readonly counts: Readonly<Record<string, number>>
  /** The database's newest migration. */
  readonly migration: string
  /** The last requested erasure; null without one. After a restore, later erasures must be repeated. */
  readonly last_erasure: { readonly asked_at: string; readonly is_finished: boolean } | null
}

/** The last file of a backup. */
export interface Manifest extends BackupFacts {
  readonly format: typeof FORMAT
  readonly assay: string
  readonly postgres: string
  /** The moment that the backup shows. */
  readonly made_at: string
  /** How long writes were held, ms. */
  readonly held_ms: number
  /** Shows if a key is the one that sealed the data, and reveals nothing of it. */
  readonly key_check: string
  readonly parts: Readonly<Record<Part, PartSum>>
}

/** The part of a path in a backup; null for a path of no part. */
export const partOf = (path: string): Part | null => {
  const [folder = ''] = path.split('/', 1)
  if (KEY_FILES.includes(path)) return 'key'
  return folder !== 'key' && path !== folder ? (PARTS.find(part => part === folder) ?? null) : null
}

/** Sums up the files of a backup, for the manifest. */
export const createPartSums = () => {
  const parts = new Map<Part, { files: number; bytes: number; readonly hash: Hash }>(
    PARTS.map(part => [part, { files: 0, bytes: 0, hash: createHash('sha256') }]),
  )
  return {
    /** Starts a file; its bytes must be passed to the returned hash. */
    begin(path: string, size: number): Pick<Hash, 'update'> {
      const sum = parts.get(partOf(path) ?? 'key')
      if (sum === undefined) throw new TypeError(`${path} is of no part`)
      sum.files += 1
      sum.bytes += size
      return sum.hash.update(`${path}\0${size}\0`)
    },
    /** Call once, at the end. */
    sums(): Readonly<Record<Part, PartSum>> {
      const sum = (part: Part): PartSum => {
        const { files = 0, bytes = 0, hash } = parts.get(part) ?? {}
        return { files, bytes, sha256: hash?.digest('hex') ?? '' }
      }
      return { log: sum('log'), postgres: sum('postgres'), clickhouse: sum('clickhouse'), key: sum('key') }
    },
  }
}

const CHUNK_BYTES = 256 * 1024

export type Archive = ReturnType<typeof createArchive>

/** A tar archive that is read while it is written: only a chunk of it is in memory. */
export const createArchive = () => {
  const tar = pack()
  const parts = createPartSums()
  const readerLeft = new Promise<never>((_resolve, reject) => {
    tar.once('close', () => reject(new Error('whoever reads the backup has gone')))
  })
  // Whoever awaits it gets the error; unawaited it must not end the process.
  readerLeft.catch(() => {})

  const put = (header: { name: string; type: 'directory' | 'symlink'; linkname?: string }): void => {
    tar.entry(header)
  }

  return {
    stream: tar,
    directory: (name: string) => put({ name, type: 'directory' }),
    link: (name: string, linkname: string) => put({ name, type: 'symlink', linkname }),

    bytes(name: string, content: string | Uint8Array): void {
      const bytes = Buffer.from(content)
      parts.begin(name, bytes.length).update(bytes)
      tar.entry({ name, mode: 0o600 }, bytes)
    },

    /**
     * Adds a file: `size` bytes, or its size when it is opened. Zeros replace what an engine cuts off meanwhile, as in
     * every copy of a running database. A file that was removed is left out.
     */
    async file(name: string, path: string, size?: number): Promise<void> {
      const handle = await nullWhereMissing(open(path))
      if (handle === null) return
      try {
        const length = size ?? (await handle.stat()).size
        const sum = parts.begin(name, length)
        const done = Promise.withResolvers<void>()
        const entry = tar.entry({ name, size: length, mode: 0o600 }, error =>
          error ? done.reject(error) : done.resolve(),
        )
        // Both reject when the reader has left, perhaps unawaited; this must not end the process.
        done.promise.catch(() => {})
        entry.on('error', () => {})
        for (let at = 0; at < length; ) {
          const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, length - at))
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
          const piece = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead)
          sum.update(piece)
          if (!entry.write(piece)) await Promise.race([once(entry, 'drain'), readerLeft])
          at += piece.length
        }
        entry.end(undefined)
        await Promise.race([done.promise, readerLeft])
      } finally {
        await handle.close()
      }
    },

    /** Adds the manifest, and ends the archive. */
    finish(manifest: Omit<Manifest, 'parts'>): void {
      const bytes = Buffer.from(`${JSON.stringify({ ...manifest, parts: parts.sums() }, null, 2)}\n`)
      tar.entry({ name: MANIFEST_FILE, mode: 0o600 }, bytes)
      tar.finalize()
    },
  }
}
