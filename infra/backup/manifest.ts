import { createHash, type Hash } from 'node:crypto'

/** The kinds of things that a backup holds; each is a folder of it, and the key a file. */
export const PARTS = ['log', 'postgres', 'clickhouse', 'key'] as const
type Part = (typeof PARTS)[number]

/** Which format this version writes. One that reads backups says so when it meets another. */
export const FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'
export const KEY_FILE = 'installation.key'
/** The key in force and, while it takes the place of another, that one. */
export const KEY_FILES: readonly string[] = [KEY_FILE, `${KEY_FILE}.before`]

/**
 * How much of a part there is, and what it amounts to: SHA-256 over path, length and bytes of each of its files, in
 * their order.
 */
interface PartSum {
  readonly files: number
  readonly bytes: number
  readonly sha256: string
}

/** What was counted just before the moment that the backup shows. */
export interface BackupFacts {
  readonly counts: Readonly<Record<string, number>>
  /** The newest migration of the database. */
  readonly migration: string
  /**
   * The last erasure that was asked for; null when none was. Whoever restores this erases again what was asked for
   * later.
   */
  readonly last_erasure: { readonly asked_at: string; readonly is_finished: boolean } | null
}

/** The last file of a backup. */
export interface Manifest extends BackupFacts {
  readonly format: typeof FORMAT
  readonly assay: string
  readonly postgres: string
  /** The moment that it shows. */
  readonly made_at: string
  /** For how long nothing was stored. */
  readonly held_ms: number
  /** Tells whether a key is the one that the data was sealed with; says nothing of it. */
  readonly key_check: string
  readonly parts: Readonly<Record<Part, PartSum>>
}

export const partOf = (path: string): Part | null => {
  const [folder = ''] = path.split('/', 1)
  if (KEY_FILES.includes(path)) return 'key'
  return folder !== 'key' && path !== folder ? (PARTS.find(part => part === folder) ?? null) : null
}

/** Adds up what goes through, file by file, for the manifest. */
export const createPartSums = () => {
  const parts = new Map<Part, { files: number; bytes: number; readonly hash: Hash }>(
    PARTS.map(part => [part, { files: 0, bytes: 0, hash: createHash('sha256') }]),
  )
  return {
    /** Begins a file; answers what its bytes are to be added to. */
    begin(path: string, size: number): Pick<Hash, 'update'> {
      const sum = parts.get(partOf(path) ?? 'key')
      if (sum === undefined) throw new TypeError(`${path} is of no part`)
      sum.files += 1
      sum.bytes += size
      return sum.hash.update(`${path}\0${size}\0`)
    },
    /** Once, at the end. */
    sums(): Readonly<Record<Part, PartSum>> {
      const sum = (part: Part): PartSum => {
        const { files = 0, bytes = 0, hash } = parts.get(part) ?? {}
        return { files, bytes, sha256: hash?.digest('hex') ?? '' }
      }
      return { log: sum('log'), postgres: sum('postgres'), clickhouse: sum('clickhouse'), key: sum('key') }
    },
  }
}
