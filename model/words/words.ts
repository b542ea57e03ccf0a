import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WordComparison, WordMatch } from '../../infra/word-index/port.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { bytesOfId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type LoadedWords, nothing, type ReadInto, readAll, readPage } from './loaded-words.ts'
import { expectedSizes, fairShare, placeOfNewest } from './room.ts'
import { fillMissingTerms, workspacesMissingTerms } from './stored-terms.ts'

interface WordNeighbour {
  readonly signalId: SignalId
  /** The comparison weighs words by their rarity in the workspace. */
  readonly compared: WordComparison
}

/**
 * Words of the workspaces that this process works for, in memory. They hold only what the database has committed, so
 * any process can answer for any workspace, and a new process reads what it needs.
 *
 * A workspace is in one of these states:
 * - cold: not in memory, or not read to its end. `warm` reads it, from its beginning or, for lack of room, from a later
 *   place (`after`).
 * - warm: `refresh` adds what was stored since.
 * - trimmed: it is too large beside others. A new index with its newer texts is read in the background; the old one
 *   answers until then.
 *
 * A workspace becomes cold again when it was unused for `IN_USE_MS` and room is needed, when most of its words were
 * removed, or by `forget`.
 *
 * @example
 * await words.warm(database, [workspaceId])
 * await words.refresh(transaction, [workspaceId])
 * words.nearest(workspaceId, 'The export stops', 10)
 */
export interface Words {
  /** Reads cold workspaces in pages with a transaction each, so that no transaction stays open for long. */
  warm(database: Database, workspaceIds: readonly WorkspaceId[]): Promise<void>
  /** Adds texts that were stored since. Under the lock of the workspaces they are complete afterwards. */
  refresh(transaction: Transaction, workspaceIds: readonly WorkspaceId[]): Promise<void>
  /** Drops a workspace that has texts which are no longer stored. */
  forget(workspaceId: WorkspaceId): void
  /** Signals that share rare words with a text, at most `count`, best first. */
  nearest(workspaceId: WorkspaceId, text: string, count: number): readonly WordNeighbour[]
  /** The same for a signal, without the signal itself. */
  nearestTo(workspaceId: WorkspaceId, signalId: SignalId, count: number): readonly WordNeighbour[]
  /** Rarity of a word in a workspace: 0 in every text, 1 in none. Undefined when there are too few texts. */
  rarityOf(workspaceId: WorkspaceId): ((word: string) => number) | undefined
  /** Comparison of a signal with each of `others`; null when one of the two is not in memory. */
  compare(workspaceId: WorkspaceId, signalId: SignalId, others: readonly SignalId[]): readonly (WordComparison | null)[]
}

/** Fewer texts do not show which words are rare. */
const LEAST_TEXTS = 50
/** Texts of a signal that are looked at; the best counts. */
const TEXTS_A_SIGNAL = 2
/** Removed words stay in memory. With more of them than texts, beyond this number, the workspace is read again. */
const MAX_REMOVED = 1_000
/** Time since its last use during which a workspace keeps some of its words. */
const IN_USE_MS = 600_000
/**
 * Parts of the memory. Above the first, workspaces are trimmed to the second, so that as much is read again as is new,
 * and a new index fits beside the old one.
 */
const FULL = 2 / 3
const ROOM = 1 / 3

interface WordsOptions {
  readonly maxBytes: number
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

/**
 * Keeps about `maxBytes` at most. Workspaces that were unused for long are dropped first. When those in use are too
 * large together, the largest keep only their newer texts: dropping one for another in turn would read each again at
 * every batch.
 */
export const createWords = ({ maxBytes, now = Date.now }: WordsOptions): Words => {
  /** In the order of their last use. */
  const loadedWords = new Map<WorkspaceId, LoadedWords>()
  let isTrimming = false

  const load = (workspaceId: WorkspaceId): LoadedWords => {
    const loaded = loadedWords.get(workspaceId) ?? nothing(0)
    loaded.usedAt = now()
    loadedWords.delete(workspaceId)
    loadedWords.set(workspaceId, loaded)
    return loaded
  }
  const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, bytes) => sum + bytes, 0)
  const isFull = (sizes: readonly number[]): boolean => sumOf(sizes) > FULL * maxBytes
  const sizesHeld = (): number[] => Array.from(loadedWords.values(), ({ bytes }) => bytes)
  /** Drops workspaces that are not in use, then others if needed, longest unused first. */
  const forgetOldest = (): void => {
    let bytes = sumOf(sizesHeld())
    const inUse = now() - IN_USE_MS
    for (const [workspaceId, loaded] of loadedWords) {
      if (bytes <= (loaded.usedAt < inUse ? FULL : 1) * maxBytes || loadedWords.size === 1) return
      bytes -= loaded.bytes
      loadedWords.delete(workspaceId)
    }
  }
  const intoThose = (workspaceIds: readonly WorkspaceId[]): readonly ReadInto[] =>
    workspaceIds.map(workspaceId => ({ workspaceId, loaded: load(workspaceId) }))

  /** New workspaces start at a place from which their texts fit into memory. */
  const begin = async (database: Database, cold: readonly WorkspaceId[]): Promise<void> => {
    const held = sizesHeld()
    await database.transaction({ role: 'assay_pipeline', workspaceIds: cold }, async transaction => {
      const expected = await expectedSizes(transaction, cold)
      const sizes = [...held, ...expected.map(one => one.bytes)]
      if (!isFull(sizes)) return
      const share = fairShare(sizes, ROOM * maxBytes)
      for (const one of expected) {
        if (one.bytes <= share || loadedWords.has(one.workspaceId)) continue
        const texts = Math.floor(share / one.bytesAText)
        loadedWords.set(one.workspaceId, nothing(await placeOfNewest(transaction, one.workspaceId, texts)))
      }
    })
  }
  /** Trims the largest workspaces to their newer texts, one after the other, until there is room. */
  const trim = async (database: Database): Promise<void> => {
    for (let sizes = sizesHeld(); isFull(sizes); sizes = sizesHeld()) {
      const bytes = sizes.reduce((most, size) => Math.max(most, size), 0)
      const share = fairShare(sizes, ROOM * maxBytes)
      const largest = [...loadedWords][sizes.indexOf(bytes)]
      if (largest === undefined) return
      const [workspaceId, loaded] = largest
      const after = loaded.milestones[Math.floor(loaded.milestones.length * (1 - share / bytes))]
      if (after === undefined || after <= loaded.after) return
      const newer = nothing(after)
      // Reads until the new index has everything of the old one: a caller that has refreshed the old one finds the same
      // in the new one.
      do await readAll(database, [{ workspaceId, loaded: newer }])
      while (newer.through < loaded.through)
      if (loadedWords.get(workspaceId) !== loaded) continue
      newer.isCold = loaded.isCold
      newer.usedAt = loaded.usedAt
      loadedWords.set(workspaceId, newer)
    }
  }
  const makeRoom = (database: Database): void => {
    if (!isFull(sizesHeld())) return
    forgetOldest()
    if (isTrimming) return
    isTrimming = true
    // After an error a later batch tries again. The old index answers until then.
    void trim(database)
      .catch(() => {})
      .finally(() => {
        isTrimming = false
      })
  }
  const signalOf = ({ ids, repeated }: LoadedWords, key: number): SignalId => repeated.get(key) ?? ids.id(key)
  /** The best text of each signal. */
  const signalsOf = (loaded: LoadedWords, matches: readonly WordMatch[], but: SignalId | null, count: number) => {
    const found: WordNeighbour[] = []
    const seen = new Set([but])
    for (const compared of matches) {
      if (found.length === count) break
      const signalId = signalOf(loaded, compared.key)
      if (!seen.has(signalId)) found.push({ signalId, compared })
      seen.add(signalId)
    }
    return found
  }
  const withRepeats = ({ repeated }: LoadedWords, count: number): number =>
    repeated.size === 0 ? count : count * TEXTS_A_SIGNAL

  return {
    warm: async (database, requested) => {
      makeRoom(database)
      const cold = [...new Set(requested)].filter(workspaceId => loadedWords.get(workspaceId)?.isCold !== false)
      if (cold.length === 0) return
      await begin(database, cold)
      await readAll(database, intoThose(cold))
      const missing = await database.transaction({ role: 'assay_pipeline', workspaceIds: cold }, transaction =>
        workspacesMissingTerms(
          transaction,
          cold.map(workspaceId => {
            const loaded = load(workspaceId)
            loaded.isCold = false
            // Texts that are left out on purpose look like missing ones, so such a workspace is not checked.
            const known = loaded.after > 0 ? Number.POSITIVE_INFINITY : loaded.index.texts - loaded.repeated.size
            return { workspaceId, known }
          }),
        ),
      )
      for (const workspaceId of missing) await fillMissingTerms(database, workspaceId)
      await readAll(database, intoThose(missing))
      makeRoom(database)
    },
    refresh: async (transaction, requested) => {
      for (const workspaceId of requested) {
        const index = loadedWords.get(workspaceId)?.index
        if (index !== undefined && index.removed > MAX_REMOVED + index.texts) loadedWords.delete(workspaceId)
      }
      const distinct = [...new Set(requested)]
      let behind = intoThose(distinct)
      while (behind.length > 0) {
        const read = behind
        const unfinished = await readPage(transaction, read)
        // A workspace may have been trimmed during the reading.
        const replaced = read.filter(({ workspaceId, loaded }) => loadedWords.get(workspaceId) !== loaded)
        const names = new Set([...unfinished, ...replaced].map(({ workspaceId }) => workspaceId))
        behind = intoThose([...names])
      }
    },
    forget: workspaceId => void loadedWords.delete(workspaceId),
    nearest: (workspaceId, text, count) => {
      const loaded = loadedWords.get(workspaceId)
      if (loaded === undefined) return []
      return signalsOf(loaded, loaded.index.nearest(termsOf(text), withRepeats(loaded, count)), null, count)
    },
    nearestTo: (workspaceId, signalId, count) => {
      const loaded = loadedWords.get(workspaceId)
      const key = loaded?.ids.find(bytesOfId(signalId)) ?? -1
      if (loaded === undefined || key === -1) return []
      return signalsOf(loaded, loaded.index.nearestTo(key, withRepeats(loaded, count)), signalId, count)
    },
    rarityOf: workspaceId => {
      const index = loadedWords.get(workspaceId)?.index
      return index === undefined || index.texts < LEAST_TEXTS ? undefined : index.rarityOf
    },
    compare: (workspaceId, signalId, others) => {
      const loaded = loadedWords.get(workspaceId)
      const key = loaded?.ids.find(bytesOfId(signalId)) ?? -1
      if (loaded === undefined || key === -1) return others.map(() => null)
      const keys = others.map(other => loaded.ids.find(bytesOfId(other)))
      const compared = loaded.index.compare(key, keys)
      return compared.map((comparison, place) => (keys[place] === -1 ? null : comparison))
    },
  }
}
