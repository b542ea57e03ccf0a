import { createHash, type Hash } from 'node:crypto'
import { PARTS, type Part, type PartSum, partOf } from './manifest.ts'

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
