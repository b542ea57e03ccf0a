import { setImmediate as breathe } from 'node:timers/promises'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WordComparison, WordIndex, WordMatch, WordOverlap } from '../../infra/word-index/port.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import { bytesOfId, idFromBytes, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createIdNumbers, type IdNumbers } from './id-numbers.ts'
import { lackingTerms, storeMissingTerms } from './missing-terms.ts'
import { readTermsAfter, type StoredTerms } from './stored-terms.ts'

/** Its words count as they are rare in the workspace. */
interface WordNeighbour extends WordComparison {
  readonly signalId: SignalId
}

/**
 * The words of the workspaces that this process works for, in memory. It holds what the database has committed and nothing else, so any
 * process can answer for any workspace, and one that starts anew reads what it needs.
 */
export interface Words {
  /** Reads workspaces that are not in memory yet, in pages and transactions of its own, so that no transaction stays open for long. */
  warm(database: Database, workspaceIds: readonly WorkspaceId[]): Promise<void>
  /** Takes in what was stored since; under the lock of the workspaces they are complete afterwards. */
  refresh(transaction: Transaction, workspaceIds: readonly WorkspaceId[]): Promise<void>
  /** Gives up workspaces that there is no room for. */
  forgetOldest(): void
  /** Gives up a workspace, of which something is not stored any more. */
  forget(workspaceId: WorkspaceId): void
  /** The signals that share rare words with a text, at most `count`, the best first. */
  nearest(workspaceId: WorkspaceId, text: string, count: number): readonly WordNeighbour[]
  /** The same for a signal, which is not among them. */
  nearestTo(workspaceId: WorkspaceId, signalId: SignalId, count: number): readonly WordNeighbour[]
  /** How each of `others` compares with a signal; null where one of the two is not held. */
  compare(workspaceId: WorkspaceId, signalId: SignalId, others: readonly SignalId[]): readonly (WordComparison | null)[]
  /** What the texts of two signals share; null where one of the two is not held. */
  overlap(workspaceId: WorkspaceId, one: SignalId, other: SignalId): WordOverlap | null
}

interface LoadedWords {
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
}

/** Few enough that taking a page in, of all its workspaces together, blocks the thread for some hundredths of a second only. */
const PAGE = 2_000
/** Of a workspace, however many there are: each page is a round trip. */
const LEAST = 50
/** A signal may have several texts, of which one counts. */
const TEXTS_A_SIGNAL = 2
const REPEATED_BYTES = 150
const TEXTS_A_MILESTONE = 100
/** Words that were removed stay in memory. With more of them than of others, and so many, the workspace is read again. */
const MAX_REMOVED = 1_000

const nothing = (after: number): LoadedWords => ({
  index: createWordIndex(),
  ids: createIdNumbers(),
  repeated: new Map(),
  milestones: [],
  after,
  through: after,
  isCold: true,
})

/**
 * Keeps at most about so much memory; the workspaces that were not asked about for the longest time go first. Of one that is too large by itself the
 * newer half of the texts is kept.
 */
export const createWords = ({ maxBytes }: { readonly maxBytes: number }): Words => {
  /** In the order of their last use. */
  const loadedWords = new Map<WorkspaceId, LoadedWords>()

  const load = (workspaceId: WorkspaceId): LoadedWords => {
    const loaded = loadedWords.get(workspaceId) ?? nothing(0)
    loadedWords.delete(workspaceId)
    loadedWords.set(workspaceId, loaded)
    return loaded
  }
  /** Two batches may read the same rows at once; each row is taken in once, and gives the row that a text had before away. */
  const add = (
    { index, ids, repeated, milestones }: LoadedWords,
    { signalId, id, place, terms }: StoredTerms,
  ): void => {
    const before = ids.find(id)
    if (before !== -1) index.remove(before)
    const key = ids.add(id)
    index.add(terms)
    if (key % TEXTS_A_MILESTONE === 0) milestones.push(place)
    if (!signalId.equals(id)) repeated.set(key, idFromBytes(signalId))
  }
  const bytesOf = ({ index, ids, repeated }: LoadedWords): number =>
    index.bytes + ids.bytes + repeated.size * REPEATED_BYTES
  const halfOf = ({ milestones }: LoadedWords): number => milestones[Math.floor(milestones.length / 2)] ?? 0
  const forgetOldest = (): void => {
    let bytes = 0
    for (const loaded of loadedWords.values()) bytes += bytesOf(loaded)
    for (const [workspaceId, loaded] of loadedWords) {
      if (bytes <= maxBytes) return
      bytes -= bytesOf(loaded)
      if (loadedWords.size > 1) loadedWords.delete(workspaceId)
      else if (loaded.milestones.length > 1) loadedWords.set(workspaceId, nothing(halfOf(loaded)))
    }
  }
  /** Reads the next page of each; answers those that may have more. */
  const readPage = async (
    transaction: Transaction,
    requested: readonly WorkspaceId[],
  ): Promise<readonly WorkspaceId[]> => {
    const loaded = requested.map(load)
    const after = requested.map((workspaceId, position) => ({ workspaceId, after: loaded[position]?.through ?? 0 }))
    const most = Math.max(LEAST, Math.floor(PAGE / requested.length))
    const read = await readTermsAfter(transaction, after, most)
    return requested.filter((_, position) => {
      const stored = read[position] ?? []
      const into = loaded[position]
      for (const row of stored) {
        if (into === undefined || row.place <= into.through) continue
        add(into, row)
        into.through = row.place
      }
      return stored.length >= most
    })
  }
  const readAll = async (database: Database, requested: readonly WorkspaceId[]): Promise<void> => {
    for (let behind = requested; behind.length > 0; await breathe()) {
      const page = behind
      behind = await database.transaction({ role: 'assay_pipeline', workspaceIds: page }, transaction =>
        readPage(transaction, page),
      )
    }
  }
  const signalOf = ({ ids, repeated }: LoadedWords, key: number): SignalId => repeated.get(key) ?? ids.id(key)
  /** The best text of each signal. */
  const signalsOf = (loaded: LoadedWords, matches: readonly WordMatch[], but: SignalId | null, count: number) => {
    const found = new Map<SignalId, WordNeighbour>()
    for (const { key, words, titles } of matches) {
      const signalId = signalOf(loaded, key)
      if (!found.has(signalId) && signalId !== but) found.set(signalId, { signalId, words, titles })
    }
    return [...found.values()].slice(0, count)
  }
  const withRepeats = ({ repeated }: LoadedWords, count: number): number =>
    repeated.size === 0 ? count : count * TEXTS_A_SIGNAL

  return {
    warm: async (database, requested) => {
      forgetOldest()
      const cold = [...new Set(requested)].filter(workspaceId => loadedWords.get(workspaceId)?.isCold !== false)
      if (cold.length === 0) return
      await readAll(database, cold)
      const lacking = await database.transaction({ role: 'assay_pipeline', workspaceIds: cold }, transaction =>
        lackingTerms(
          transaction,
          cold.map(workspaceId => {
            const loaded = load(workspaceId)
            loaded.isCold = false
            // Where texts are left out on purpose, nobody can tell whether some are missing.
            const known = loaded.after > 0 ? Number.POSITIVE_INFINITY : loaded.index.texts - loaded.repeated.size
            return { workspaceId, known }
          }),
        ),
      )
      for (const workspaceId of lacking) await storeMissingTerms(database, workspaceId)
      await readAll(database, lacking)
      forgetOldest()
    },
    refresh: async (transaction, requested) => {
      for (const workspaceId of requested) {
        const index = loadedWords.get(workspaceId)?.index
        if (index !== undefined && index.removed > MAX_REMOVED + index.texts) loadedWords.delete(workspaceId)
      }
      let behind: readonly WorkspaceId[] = [...new Set(requested)]
      while (behind.length > 0) behind = await readPage(transaction, behind)
    },
    forgetOldest,
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
    overlap: (workspaceId, one, other) => {
      const loaded = loadedWords.get(workspaceId)
      const [key = -1, otherKey = -1] = [one, other].map(id => loaded?.ids.find(bytesOfId(id)))
      return loaded === undefined || key === -1 || otherKey === -1 ? null : loaded.index.overlap(key, otherKey)
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
