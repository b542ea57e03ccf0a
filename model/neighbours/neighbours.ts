import { setImmediate as breathe } from 'node:timers/promises'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { endsWithin } from '../../infra/runtime/promises.ts'
import { isInBackground } from '../../infra/runtime/yielding.ts'
import { createBitIndex } from '../../infra/vector-index/bit-index.ts'
import type { BitIndex, SignBits } from '../../infra/vector-index/port.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import type { HeldSpace, Snapshots } from './snapshots.ts'
import { distinctSpaces, readBitsAfter, type StoredBits, spaceNameOf, type VectorSpace } from './stored-bits.ts'

interface Neighbour {
  readonly signalId: SignalId
  /** Number of different sign bits among 1,024: an estimate of the vectors' angle. */
  readonly distance: number
}

/**
 * Sign bits of the workspaces that this process works for, in memory. They hold only what the database has committed,
 * so any process can answer for any workspace, and a new process reads what it needs.
 *
 * A space is in one of these states:
 * - cold: not in memory. `warm` or `fill` starts to read it, from a snapshot where there is one.
 * - reading: pages are read from `through` on. Simultaneous calls share the reading; after an error the next call
 *   continues at `through`.
 * - whole: it was read to its end once. `refresh` adds what was stored since.
 *
 * `forgetOldest` makes the space that was unused the longest cold again when there is no room.
 *
 * @example
 * await neighbours.warm(database, [space])
 * await neighbours.refresh(transaction, [space])
 * neighbours.nearest(space, signBits(vector), 50)
 */
export interface Neighbours {
  /**
   * Reads spaces to their end that are not whole, in pages with a transaction each, so that no transaction stays open
   * for long.
   */
  warm(database: Database, spaces: readonly VectorSpace[]): Promise<void>
  /**
   * Reads a space that is not whole, with the caller's transactions, and waits at most `waitMs`; the rest is read in
   * the background. Answers true when the space is whole.
   */
  fill(read: Read, space: VectorSpace, waitMs: number): Promise<boolean>
  /** Adds vectors that were stored since. Under the lock of the workspaces the spaces are complete afterwards. */
  refresh(transaction: Transaction, spaces: readonly VectorSpace[]): Promise<void>
  /** True when the space was read to its end once. */
  isWhole(space: VectorSpace): boolean
  /** Drops spaces until they fit into memory. */
  forgetOldest(): void
  /** The last place in memory; 0 before the first. */
  through(space: VectorSpace): number
  /** At most `count` neighbours, nearest first. */
  nearest(space: VectorSpace, bits: SignBits, count: number): readonly Neighbour[]
}

type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>

interface LoadedSpace extends HeldSpace {
  through: number
  /** True once it was read to the end. */
  isWhole: boolean
  /** Number of vectors in its snapshot. */
  kept: number
  /** Estimated memory. Stored, because a processor holds thousands of spaces and asks at each batch. */
  bytes: number
}

/**
 * Vectors of a page, of all its spaces together: adding a page to the graphs blocks the thread for some tenths of a
 * second.
 */
const PAGE = 2_000
/** Vectors of a space in a page, at least: each page is a round trip. */
const LEAST = 50
const ID_BYTES = 60

const bytesOf = ({ index, signalIds }: HeldSpace): number => index.bytes + signalIds.length * ID_BYTES

interface NeighboursOptions {
  readonly maxBytes: number
  /** The index of a space. By default it becomes a graph as it grows. */
  readonly createIndex?: () => BitIndex
  /** Snapshots of large spaces beside the data; null builds the spaces again. */
  readonly snapshots?: Snapshots | null
}

/** Keeps about `maxBytes` at most. The spaces that were unused the longest are dropped first. */
export const createNeighbours = ({
  maxBytes,
  createIndex = createBitIndex,
  snapshots = null,
}: NeighboursOptions): Neighbours => {
  /** In the order of their last use. */
  const spaces = new Map<string, LoadedSpace>()

  const loadSpace = (space: VectorSpace): LoadedSpace => {
    const name = spaceNameOf(space)
    const loaded = spaces.get(name) ?? {
      index: createIndex(),
      signalIds: [],
      through: 0,
      isWhole: false,
      kept: 0,
      bytes: 0,
    }
    spaces.delete(name)
    spaces.set(name, loaded)
    return loaded
  }
  /** Two batches may read the same rows at once. Each row is added once. */
  const add = (loaded: LoadedSpace, stored: readonly StoredBits[]): void => {
    const added = stored.filter(({ number }) => number > loaded.through)
    loaded.index.add(added.map(({ bits }) => bits))
    for (const { signalId } of added) loaded.signalIds.push(signalId)
    loaded.through = added.at(-1)?.number ?? loaded.through
    loaded.bytes = bytesOf(loaded)
  }
  const readSnapshots = async (database: Database, cold: readonly VectorSpace[]): Promise<void> => {
    if (snapshots === null) return
    for (const space of await snapshots.known(cold)) {
      const held = await snapshots.load(database, space)
      if (!held || spaces.has(spaceNameOf(space))) continue
      spaces.set(spaceNameOf(space), { ...held, isWhole: false, kept: held.index.size, bytes: bytesOf(held) })
    }
  }
  let isKeeping = false
  /** Writes one snapshot at a time. A failed one is written again when the space has grown. */
  const keepGrown = (space: VectorSpace): void => {
    const loaded = spaces.get(spaceNameOf(space))
    if (snapshots === null || isKeeping || loaded === undefined) return
    if (!snapshots.isDue(loaded.index.size, loaded.kept)) return
    isKeeping = true
    loaded.kept = loaded.index.size
    void snapshots
      .keep(space, loaded)
      .catch(() => {})
      .finally(() => {
        isKeeping = false
      })
  }
  /** By name. Batches that need a space meanwhile share its reading. */
  const warming = new Map<string, { readonly ended: Promise<void>; readonly isInBackground: boolean }>()
  const forgetOldest = (): void => {
    let bytes = 0
    for (const space of spaces.values()) bytes += space.bytes
    for (const [name, space] of spaces) {
      if (bytes <= maxBytes || spaces.size === 1) return
      // A space that is being read would be read from its beginning again.
      if (warming.has(name)) continue
      spaces.delete(name)
      bytes -= space.bytes
    }
  }
  /** Reads the next page of each space. Answers the spaces that may have more. */
  const readPage = async (
    transaction: Transaction,
    requested: readonly VectorSpace[],
  ): Promise<readonly VectorSpace[]> => {
    const loaded = requested.map(loadSpace)
    const after = requested.map((space, position) => ({ ...space, after: loaded[position]?.through ?? 0 }))
    const most = Math.max(LEAST, Math.floor(PAGE / requested.length))
    const read = await readBitsAfter(transaction, after, most)
    return requested.filter((_, position) => {
      const stored = read[position] ?? []
      const into = loaded[position]
      if (into !== undefined) add(into, stored)
      const isBehind = stored.length >= most
      if (into !== undefined && !isBehind) into.isWhole = true
      return isBehind
    })
  }
  const isWhole = (space: VectorSpace): boolean => spaces.get(spaceNameOf(space))?.isWhole === true
  const readCold = async (database: Database, cold: readonly VectorSpace[]): Promise<void> => {
    await readSnapshots(
      database,
      cold.filter(space => !spaces.has(spaceNameOf(space))),
    )
    for (let behind = cold; behind.length > 0; await breathe()) {
      const page = behind
      const workspaceIds = [...new Set(page.map(space => space.workspaceId))]
      behind = await database.transaction({ role: 'assay_pipeline', workspaceIds }, transaction =>
        readPage(transaction, page),
      )
    }
  }
  /** Background reading has a lower priority, so a call in the foreground does not wait for it. */
  const readingOf = (space: VectorSpace): Promise<void> | undefined => {
    const reading = warming.get(spaceNameOf(space))
    return reading?.isInBackground === true && !isInBackground() ? undefined : reading?.ended
  }
  /** Continues where an earlier reading failed or has come to. */
  const warmCold = async (database: Database, cold: readonly VectorSpace[]): Promise<void> => {
    const shared = cold.flatMap(space => readingOf(space) ?? [])
    const own = cold.filter(space => readingOf(space) === undefined)
    const names = own.map(spaceNameOf)
    const ended = readCold(database, own).finally(() => {
      for (const name of names) if (warming.get(name) === reading) warming.delete(name)
    })
    const reading = { ended, isInBackground: isInBackground() }
    for (const name of names) warming.set(name, reading)
    await Promise.all([ended, ...shared])
  }
  /** Simultaneous calls share a reading. After an error the next call continues it. */
  const filling = new Map<string, Promise<void>>()
  const readToEnd = async (read: Read, space: VectorSpace): Promise<void> => {
    while ((await read(transaction => readPage(transaction, [space]))).length > 0) await breathe()
  }

  return {
    warm: async (database, requested) => {
      const distinct = distinctSpaces(requested)
      await warmCold(
        database,
        distinct.filter(space => !isWhole(space)),
      )
      // Marks the spaces as just used.
      for (const space of distinct) if (spaces.has(spaceNameOf(space))) loadSpace(space)
      forgetOldest()
      for (const space of distinct) keepGrown(space)
    },
    fill: async (read, space, waitMs) => {
      if (isWhole(space)) return true
      const name = spaceNameOf(space)
      const reading = filling.get(name) ?? readToEnd(read, space).finally(() => filling.delete(name))
      filling.set(name, reading)
      return endsWithin(reading, waitMs)
    },
    refresh: async (transaction, requested) => {
      let behind: readonly VectorSpace[] = distinctSpaces(requested)
      while (behind.length > 0) behind = await readPage(transaction, behind)
    },
    isWhole,
    forgetOldest,
    through: space => spaces.get(spaceNameOf(space))?.through ?? 0,
    nearest: (space, bits, count) => {
      const loaded = spaces.get(spaceNameOf(space))
      if (loaded === undefined) return []
      const found: Neighbour[] = []
      for (const { key, distance } of loaded.index.nearest(bits, count)) {
        const signalId = loaded.signalIds[key]
        if (signalId !== undefined) found.push({ signalId, distance })
      }
      return found
    },
  }
}
