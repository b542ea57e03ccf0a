import { setImmediate as breathe } from 'node:timers/promises'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { Field, TextIndex } from '../../infra/text-index/port.ts'
import { createTextIndex } from '../../infra/text-index/text-index.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { before, type ChangedText, type ChangePlace, type IndexedKind, readChangedTexts } from './changed-texts.ts'
import { SEARCHED, type Searched } from './searched.ts'

/** A transaction of the workspace, which ends before the next one is asked for. */
export type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>

interface FoundText {
  readonly type: Searched
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  readonly field: Field
  /** The repeats of a Signal that have the words, the best first. */
  readonly repeats: readonly string[]
}

/**
 * The words of the workspaces that were searched last, in memory. It holds what the database has committed and nothing
 * else, so any process answers for any workspace, and one that starts anew reads what it needs.
 */
export interface SearchTexts {
  /**
   * Takes in what was written until now; the first time that is all of the workspace. In pages, each in a transaction
   * of its own.
   */
  refresh(read: Read, workspaceId: WorkspaceId): Promise<void>
  /** What has some of the words, at most so much, the best first. */
  search(workspaceId: WorkspaceId, text: string, types: readonly Searched[], count: number): readonly FoundText[]
  /** The newest that have all of the words, at most so many. */
  having(workspaceId: WorkspaceId, text: string, type: Searched, atMost: number): readonly string[]
  /** Gives up texts that are not stored any more. */
  remove(workspaceId: WorkspaceId, ids: readonly string[]): void
}

interface LoadedTexts {
  readonly index: TextIndex
  /** By the index's keys. */
  readonly shown: { readonly type: Searched; readonly id: string; readonly repeat: string | null }[]
  readonly keys: Map<string, number>
  /** The transaction that each text was read of, of those that will be read again. */
  readonly again: Map<string, string>
  from: string
  place: ChangePlace | null
  oldest: string | null
  /** The reading that goes on, or was the last. */
  turn: Promise<void>
}

/** Few enough that taking a page in blocks the thread for some hundredths of a second only. */
const PAGE = 500
/**
 * Words that were removed stay in memory. With more of them than of others, and so many, the workspace is read again.
 */
const MAX_REMOVED = 1_000
/** What is kept of a text beside its words. */
const TEXT_BYTES = 250
/** A Signal may be found by its own words and by those of its repeats. */
const TEXTS_A_SIGNAL = 2

const KINDS: readonly IndexedKind[] = [...SEARCHED, 'repeat']
const bitOf = (kind: IndexedKind): number => 1 << KINDS.indexOf(kind)
const bitsOf = (types: readonly Searched[]): number =>
  types.reduce((bits, type) => bits | bitOf(type) | (type === 'signal' ? bitOf('repeat') : 0), 0)

const nothing = (): LoadedTexts => ({
  index: createTextIndex(),
  shown: [],
  keys: new Map(),
  again: new Map(),
  from: '0',
  place: null,
  oldest: null,
  turn: Promise.resolve(),
})

/** Keeps at most about so much memory; the workspaces that were not searched for the longest time go first. */
export const createSearchTexts = ({ maxBytes }: { readonly maxBytes: number }): SearchTexts => {
  /** In the order of their last use. */
  const loadedTexts = new Map<WorkspaceId, LoadedTexts>()

  const load = (workspaceId: WorkspaceId): LoadedTexts => {
    const known = loadedTexts.get(workspaceId)
    const isWorn = known !== undefined && known.index.removed > MAX_REMOVED + known.index.texts
    const loaded = known === undefined || isWorn ? nothing() : known
    loadedTexts.delete(workspaceId)
    loadedTexts.set(workspaceId, loaded)
    return loaded
  }
  const forgetOldest = (): void => {
    const bytesOf = ({ index, shown }: LoadedTexts): number => index.bytes + shown.length * TEXT_BYTES
    let bytes = 0
    for (const loaded of loadedTexts.values()) bytes += bytesOf(loaded)
    for (const [workspaceId, loaded] of loadedTexts) {
      if (bytes <= maxBytes || loadedTexts.size === 1) return
      loadedTexts.delete(workspaceId)
      bytes -= bytesOf(loaded)
    }
  }
  const take = ({ index, shown, keys, again }: LoadedTexts, text: ChangedText): void => {
    const { id, kind, transaction, fields } = text
    const name = `${id} ${kind}`
    if (again.get(name) === transaction) return
    again.set(name, transaction)
    const known = keys.get(name)
    if (known !== undefined) index.remove(known)
    keys.delete(name)
    if (fields === null) return
    const key = index.add(bitOf(kind), fields)
    shown[key] = kind === 'repeat' ? { type: 'signal', id: text.shown, repeat: id } : { type: kind, id, repeat: null }
    keys.set(name, key)
  }
  /** Reads on from where the last reading ended, be it at the end or in the middle. */
  const readOn = async (read: Read, workspaceId: WorkspaceId, loaded: LoadedTexts): Promise<void> => {
    for (let isBehind = true; isBehind; ) {
      const place = loaded.place ?? before(loaded.from)
      const { texts, oldest } = await read(transaction => readChangedTexts(transaction, workspaceId, place, PAGE))
      loaded.oldest ??= oldest
      for (const text of texts) take(loaded, text)
      loaded.place = texts.at(-1) ?? place
      isBehind = texts.length >= PAGE
      if (isBehind) await breathe()
    }
    loaded.from = loaded.oldest ?? loaded.from
    loaded.place = null
    loaded.oldest = null
    const from = BigInt(loaded.from)
    for (const [name, transaction] of loaded.again) if (BigInt(transaction) < from) loaded.again.delete(name)
  }

  return {
    refresh: async (read, workspaceId) => {
      const loaded = load(workspaceId)
      const turn = loaded.turn.then(() => readOn(read, workspaceId, loaded))
      // The next one goes on where this one failed.
      loaded.turn = turn.catch(() => {})
      await turn
      forgetOldest()
    },
    search: (workspaceId, text, types, count) => {
      const loaded = loadedTexts.get(workspaceId)
      if (loaded === undefined) return []
      const found = new Map<string, FoundText & { readonly repeats: string[] }>()
      for (const { key, score, field } of loaded.index.search({ text, kinds: bitsOf(types) }, count * TEXTS_A_SIGNAL)) {
        const match = loaded.shown[key]
        if (match === undefined) continue
        const { type, id, repeat } = match
        const known = found.get(id) ?? { type, id, score, field, repeats: [] }
        if (repeat !== null) known.repeats.push(repeat)
        found.set(id, known)
      }
      return [...found.values()].slice(0, count)
    },
    having: (workspaceId, text, type, atMost) => {
      const loaded = loadedTexts.get(workspaceId)
      if (loaded === undefined) return []
      const keys = loaded.index.having({ text, kinds: bitsOf([type]) }, atMost)
      return [...new Set(keys.flatMap(key => loaded.shown[key]?.id ?? []))]
    },
    remove: (workspaceId, ids) => {
      const loaded = loadedTexts.get(workspaceId)
      if (loaded === undefined || ids.length === 0) return
      for (const id of ids) {
        for (const kind of KINDS) {
          const key = loaded.keys.get(`${id} ${kind}`)
          if (key !== undefined) loaded.index.remove(key)
          loaded.keys.delete(`${id} ${kind}`)
        }
      }
    },
  }
}
