import { setImmediate as breathe } from 'node:timers/promises'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { createBitIndex } from '../../infra/vector-index/bit-index.ts'
import type { BitIndex, SignBits } from '../../infra/vector-index/port.ts'
import type { SignalId } from '../../schemas/domain/ids.ts'
import { readBitsAfter, type Space, type StoredBits } from './stored-bits.ts'

interface Neighbour {
  readonly signalId: SignalId
  /** How many of the 1,024 sign bits differ: an estimate of the angle between the vectors. */
  readonly distance: number
}

/**
 * The sign bits of the workspaces that this process works for, in memory. It holds what the database has committed and nothing else, so any
 * process can answer for any workspace, and one that starts anew reads what it needs.
 */
export interface Neighbours {
  /** Reads spaces that are not in memory yet, in pages and transactions of its own, so that no transaction stays open for long. */
  warm(database: Database, spaces: readonly Space[]): Promise<void>
  /** Takes in what was stored since; under the lock of the workspaces the spaces are complete afterwards. */
  refresh(transaction: Transaction, spaces: readonly Space[]): Promise<void>
  /** Gives up spaces that there is no room for. */
  forgetOldest(): void
  /** The last place that was taken in, 0 before the first. */
  through(space: Space): number
  /** At most `count` of the space, the nearest first. */
  nearest(space: Space, bits: SignBits, count: number): readonly Neighbour[]
}

interface Held {
  readonly index: BitIndex
  /** By the index's keys. */
  readonly signalIds: SignalId[]
  through: number
}

/** Few enough that building the graph for a page, of all its spaces together, blocks the thread for some tenths of a second only. */
const PAGE = 2_000
/** Of a space, however many there are: each page is a round trip. */
const LEAST = 50
const ID_BYTES = 60

interface NeighboursOptions {
  readonly maxBytes: number
  /** What a space is held in: one that becomes a graph unless told. */
  readonly createIndex?: () => BitIndex
}

/** Keeps at most about so much memory; the spaces that were not asked about for the longest time go first. */
export const createNeighbours = ({ maxBytes, createIndex = createBitIndex }: NeighboursOptions): Neighbours => {
  /** In the order of their last use. */
  const spaces = new Map<string, Held>()
  const nameOf = ({ workspaceId, model }: Space): string => `${workspaceId} ${model}`

  const hold = (space: Space): Held => {
    const name = nameOf(space)
    const held = spaces.get(name) ?? { index: createIndex(), signalIds: [], through: 0 }
    spaces.delete(name)
    spaces.set(name, held)
    return held
  }
  /** Two batches may read the same rows at once; each row is taken in once. */
  const add = (held: Held, stored: readonly StoredBits[]): void => {
    for (const { place, signalId, bits } of stored) {
      if (place <= held.through) continue
      held.index.add(bits)
      held.signalIds.push(signalId)
      held.through = place
    }
  }
  const forgetOldest = (): void => {
    let bytes = 0
    for (const { index, signalIds } of spaces.values()) bytes += index.bytes + signalIds.length * ID_BYTES
    for (const [name, { index, signalIds }] of spaces) {
      if (bytes <= maxBytes || spaces.size === 1) return
      spaces.delete(name)
      bytes -= index.bytes + signalIds.length * ID_BYTES
    }
  }
  /** Reads the next page of each; answers those that may have more. */
  const readPage = async (transaction: Transaction, asked: readonly Space[]): Promise<readonly Space[]> => {
    const held = asked.map(hold)
    const after = asked.map((space, position) => ({ ...space, after: held[position]?.through ?? 0 }))
    const most = Math.max(LEAST, Math.floor(PAGE / asked.length))
    const read = await readBitsAfter(transaction, after, most)
    return asked.filter((_, position) => {
      const stored = read[position] ?? []
      const into = held[position]
      if (into !== undefined) add(into, stored)
      return stored.length >= most
    })
  }

  return {
    warm: async (database, asked) => {
      const distinct = [...new Map(asked.map(space => [nameOf(space), space])).values()]
      let cold: readonly Space[] = distinct.filter(space => !spaces.has(nameOf(space)))
      while (cold.length > 0) {
        const workspaceIds = [...new Set(cold.map(space => space.workspaceId))]
        const page = cold
        cold = await database.transaction({ role: 'assay_pipeline', workspaceIds }, transaction =>
          readPage(transaction, page),
        )
        await breathe()
      }
      forgetOldest()
    },
    refresh: async (transaction, asked) => {
      let behind: readonly Space[] = [...new Map(asked.map(space => [nameOf(space), space])).values()]
      while (behind.length > 0) behind = await readPage(transaction, behind)
    },
    forgetOldest,
    through: space => spaces.get(nameOf(space))?.through ?? 0,
    nearest: (space, bits, count) => {
      const held = spaces.get(nameOf(space))
      if (held === undefined) return []
      return held.index.nearest(bits, count).flatMap(({ key, distance }) => {
        const signalId = held.signalIds[key]
        return signalId === undefined ? [] : [{ signalId, distance }]
      })
    },
  }
}
