import { setImmediate as breathe } from 'node:timers/promises'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WordIndex } from '../../infra/word-index/port.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import { idFromBytes, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createIdNumbers, type IdNumbers } from './id-numbers.ts'
import { readTermsAfter, type StoredTerms } from './stored-terms.ts'

/** The words of a workspace in memory. */
export interface LoadedWords {
  readonly index: WordIndex
  /** The texts, by the index's keys. */
  readonly ids: IdNumbers
  /** What a repeat repeats, by its key: any other text is the signal's own. */
  readonly repeated: Map<number, SignalId>
  /** The places of every so many of the texts, in their order. */
  readonly milestones: number[]
  /** Texts up to this place are left out, for there is no room for them; 0 where all are held. */
  readonly after: number
  through: number
  /** Whether it is yet to be read. */
  isCold: boolean
  /** In milliseconds since 1970. */
  usedAt: number
}

/**
 * Few enough that taking a page in, of all its workspaces together, blocks the thread for some hundredths of a second
 * only.
 */
const PAGE = 2_000
/** Of a workspace, however many there are: each page is a round trip. */
const LEAST = 50
const REPEATED_BYTES = 150
const TEXTS_A_MILESTONE = 100

export const nothing = (after: number): LoadedWords => ({
  index: createWordIndex(),
  ids: createIdNumbers(),
  repeated: new Map(),
  milestones: [],
  after,
  through: after,
  isCold: true,
  usedAt: 0,
})

/** Where rows of a workspace go. */
export interface ReadInto {
  readonly workspaceId: WorkspaceId
  readonly loaded: LoadedWords
}

/**
 * Two batches may read the same rows at once; each row is taken in once, and gives the row that a text had before away.
 */
const add = (loaded: LoadedWords, { signalId, id, place, terms }: StoredTerms): void => {
  if (place <= loaded.through) return
  const { index, ids, repeated, milestones } = loaded
  const before = ids.find(id)
  if (before !== -1) index.remove(before)
  const key = ids.add(id)
  index.add(terms)
  if (key % TEXTS_A_MILESTONE === 0) milestones.push(place)
  if (!signalId.equals(id)) repeated.set(key, idFromBytes(signalId))
  loaded.through = place
}

export const bytesOf = ({ index, ids, repeated }: LoadedWords): number =>
  index.bytes + ids.bytes + repeated.size * REPEATED_BYTES

/** Reads the next page into each; answers those that may have more. */
export const readPage = async (
  transaction: Transaction,
  requested: readonly ReadInto[],
): Promise<readonly ReadInto[]> => {
  const after = requested.map(({ workspaceId, loaded }) => ({ workspaceId, after: loaded.through }))
  const most = Math.max(LEAST, Math.floor(PAGE / requested.length))
  const read = await readTermsAfter(transaction, after, most)
  return requested.filter(({ loaded }, position) => {
    const stored = read[position] ?? []
    for (const row of stored) add(loaded, row)
    return stored.length >= most
  })
}
/** Reads into each all that there is, in transactions of its own. */
export const readAll = async (database: Database, requested: readonly ReadInto[]): Promise<void> => {
  for (let behind = requested; behind.length > 0; await breathe()) {
    const page = behind
    const workspaceIds = page.map(({ workspaceId }) => workspaceId)
    behind = await database.transaction({ role: 'assay_pipeline', workspaceIds }, transaction =>
      readPage(transaction, page),
    )
  }
}
