import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../../infra/postgres/port.ts'
import { sha256 } from '../../infra/runtime/secrets.ts'
import { loadGraphIndex } from '../../infra/vector-index/bit-index.ts'
import type { BitIndex } from '../../infra/vector-index/port.ts'
import { bytesOfId, ID_BYTES, idFromBytes, type SignalId } from '../../schemas/domain/ids.ts'
import { countThrough, type VectorSpace } from './stored-bits.ts'

/** A space in memory up to a place. */
export interface HeldSpace {
  readonly index: BitIndex
  /** By the index's keys. */
  readonly signalIds: SignalId[]
  readonly through: number
}

/**
 * Graphs of large spaces on disk, so that a new processor need not build them. A snapshot holds sign bits and ids, no
 * text. It is valid while the database has as many vectors up to its place as the snapshot: an erasure or a new
 * embedding makes it void.
 */
export interface Snapshots {
  /** True when a space of `size` entries should be written, whose last snapshot has `kept`. */
  isDue(size: number, kept: number): boolean
  /** The spaces with a snapshot, valid or not. */
  known(spaces: readonly VectorSpace[]): Promise<readonly VectorSpace[]>
  /** The newest valid snapshot of a space; null without one. */
  load(database: Database, space: VectorSpace): Promise<HeldSpace | null>
  /**
   * Writes a space in place of its older snapshots. The first part blocks the thread: a third of a second for a million
   * signals.
   */
  keep(space: VectorSpace, held: HeldSpace): Promise<void>
  /** Removes void and half-written snapshots. */
  sweep(database: Database): Promise<void>
}

/** Raised when the content or the index's file layout changes. */
const FORMAT = 1
const GRAPH = 'graph'
const IDS = 'ids'
const MANIFEST = 'manifest.json'
const NO_ID = idFromBytes<SignalId>(new Uint8Array(ID_BYTES))
/** Ids that are read or written before the event loop gets a turn. */
const IDS_A_TURN = 20_000
/** Age from which an unfinished directory is abandoned. */
const HALF_WRITTEN_MS = 3_600_000
const WRITING = 'writing-'

interface Manifest extends VectorSpace {
  readonly format: number
  readonly size: number
  readonly through: number
  /** SHA-256 of the files, hexadecimal. */
  readonly graph: string
  readonly ids: string
}

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(part as Buffer)
  return hash.digest('hex')
}

/** Hashed, because a model's name may contain any characters. */
const nameOf = ({ workspaceId, model }: VectorSpace): string =>
  `${workspaceId}-${sha256(model).toString('hex').slice(0, 16)}-`

const readManifest = async (directory: string): Promise<Manifest | null> => {
  try {
    const read: Manifest = JSON.parse(await readFile(join(directory, MANIFEST), 'utf8'))
    return read.format === FORMAT ? read : null
  } catch {
    return null
  }
}

const isTrue = async (database: Database, { workspaceId, model, size, through }: Manifest): Promise<boolean> =>
  (await database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
    countThrough(transaction, { workspaceId, model }, through),
  )) === size

const read = async (directory: string, { size, through, graph, ids }: Manifest): Promise<HeldSpace | null> => {
  const files = { graph: join(directory, GRAPH), ids: join(directory, IDS) }
  if ((await hashOf(files.graph)) !== graph || (await hashOf(files.ids)) !== ids) return null
  const bytes = await readFile(files.ids)
  const signalIds: SignalId[] = []
  while (signalIds.length < size) {
    const end = Math.min(size, signalIds.length + IDS_A_TURN)
    for (let key = signalIds.length; key < end; key += 1)
      signalIds.push(idFromBytes<SignalId>(bytes.subarray(key * ID_BYTES, (key + 1) * ID_BYTES)))
    await breathe()
  }
  return { index: loadGraphIndex(files.graph, size), signalIds, through }
}

/** Smaller spaces are built as fast as read. */
const LEAST_KEPT = 5_000
/** Growth from which a space is written again, so that each signal is written about four times in all. */
const GROWN = 1.25

/** Snapshots in a directory that processors may share. */
export const createSnapshots = (path: string, leastKept = LEAST_KEPT): Snapshots => {
  const namesOf = async (prefix: string): Promise<readonly string[]> => {
    const names = await readdir(path).catch(() => [])
    return names.filter(name => name.startsWith(prefix))
  }
  const remove = (name: string): Promise<void> => rm(join(path, name), { recursive: true, force: true })

  return {
    isDue: (size, kept) => size >= Math.max(leastKept, kept * GROWN),
    known: async spaces => {
      if (spaces.length === 0) return []
      const known = new Set((await namesOf('')).map(name => name.slice(0, name.lastIndexOf('-') + 1)))
      return spaces.filter(space => known.has(nameOf(space)))
    },
    load: async (database, space) => {
      const names = await namesOf(nameOf(space))
      const manifests = await Promise.all(
        names.map(async name => ({ name, manifest: await readManifest(join(path, name)) })),
      )
      const [newest] = manifests.toSorted((one, other) => (other.manifest?.size ?? 0) - (one.manifest?.size ?? 0))
      if (newest === undefined || newest.manifest === null) return null
      // Another process may have removed the files, or the disk may fail: the space is then read from the database.
      const held = (await isTrue(database, newest.manifest))
        ? await read(join(path, newest.name), newest.manifest).catch(() => null)
        : null
      if (held === null) await remove(newest.name)
      return held
    },
    keep: async (space, held) => {
      const writing = `${WRITING}${randomUUID()}`
      const directory = join(path, writing)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      try {
        const files = { graph: join(directory, GRAPH), ids: join(directory, IDS) }
        // Read together, because the space grows while the rest is written.
        const { index, signalIds, through } = held
        const { size } = index
        if (!index.save(files.graph)) return await remove(writing)
        const bytes = Buffer.alloc(size * ID_BYTES)
        for (let key = 0; key < size; key += 1) {
          bytes.set(bytesOfId(signalIds[key] ?? NO_ID), key * ID_BYTES)
          if (key % IDS_A_TURN === 0) await breathe()
        }
        await writeFile(files.ids, bytes)
        const [graph, ids] = [await hashOf(files.graph), await hashOf(files.ids)]
        const manifest: Manifest = { format: FORMAT, ...space, size, through, graph, ids }
        await writeFile(join(directory, MANIFEST), JSON.stringify(manifest))
        const before = await namesOf(nameOf(space))
        await rename(directory, join(path, `${nameOf(space)}${through}`))
        await Promise.all(before.map(remove))
      } catch (error) {
        await remove(writing)
        throw error
      }
    },
    sweep: async database => {
      for (const name of await namesOf('')) {
        if (name.startsWith(WRITING)) {
          const { mtimeMs } = await stat(join(path, name)).catch(() => ({ mtimeMs: Date.now() }))
          if (mtimeMs < Date.now() - HALF_WRITTEN_MS) await remove(name)
          continue
        }
        const manifest = await readManifest(join(path, name))
        if (manifest === null || !(await isTrue(database, manifest))) await remove(name)
      }
    },
  }
}
