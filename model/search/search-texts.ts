import { setImmediate as breathe } from 'node:timers/promises'
import type { Transaction } from '../../infra/postgres/port.ts'
import { endsWithin } from '../../infra/runtime/promises.ts'
import type { Field, TextIndex } from '../../infra/text-index/port.ts'
import { createTextIndex } from '../../infra/text-index/text-index.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import {
  before,
  type ChangedText,
  type ChangePlace,
  type IndexedKind,
  NEWEST,
  readChangedTexts,
  readTextsBefore,
} from './changed-texts.ts'
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

/** How much of a workspace is in memory. */
export interface HeldTexts {
  /**
   * False while it is read for the first time: it holds the newest then, and of all but Signals most. False, too, while
   * much that was written since is read, as after an import.
   */
  readonly isWhole: boolean
  /** Older ones are left out, for there is no room for them. */
  readonly isCut: boolean
  readonly texts: number
}

/**
 * The words of the workspaces that were searched last, in memory. It holds what the database has committed and nothing
 * else, so any process answers for any workspace, and one that starts anew reads what it needs.
 */
export interface SearchTexts {
  /**
   * Takes in what was written until now; the first time that is all of the workspace, the newest first. For either it
   * waits so long: the rest is read in the background. In pages, each in a transaction of its own.
   */
  refresh(read: Read, workspaceId: WorkspaceId, waitMs: number): Promise<HeldTexts>
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
  /** Which of the `FIRST` kinds are read, from the newest back, and from where on. */
  pass: number
  back: ChangePlace
  /** It ended where there was no room for more. */
  isCut: boolean
  /** The first reading, while it goes on. */
  reading: Promise<void> | null
  /** The transaction that changes are read from; null before the first page. */
  from: string | null
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

/** What people and the model wrote is little beside the signals, and goes first. */
const FIRST: readonly (readonly IndexedKind[])[] = [
  KINDS.filter(kind => kind !== 'signal' && kind !== 'repeat'),
  ['signal', 'repeat'],
]
const isRead = ({ pass }: LoadedTexts): boolean => pass === FIRST.length

const nothing = (): LoadedTexts => ({
  index: createTextIndex(),
  shown: [],
  keys: new Map(),
  again: new Map(),
  pass: 0,
  back: NEWEST,
  isCut: false,
  reading: null,
  from: null,
  place: null,
  oldest: null,
  turn: Promise.resolve(),
})

const bytesOf = ({ index, shown }: LoadedTexts): number => index.bytes + shown.length * TEXT_BYTES

/** A workspace that has grown to so much of the room is read again, as far back as there is room. */
const OUTGROWN = 1.5

/**
 * Keeps at most about so much memory; the workspaces that were not searched for the longest time go first. Of one that
 * is too large by itself it keeps the newest.
 */
export const createSearchTexts = ({ maxBytes }: { readonly maxBytes: number }): SearchTexts => {
  /** In the order of their last use. */
  const loadedTexts = new Map<WorkspaceId, LoadedTexts>()

  const load = (workspaceId: WorkspaceId): LoadedTexts => {
    const known = loadedTexts.get(workspaceId)
    const isWorn = known !== undefined && known.index.removed > MAX_REMOVED + known.index.texts
    const isOutgrown = known !== undefined && isRead(known) && bytesOf(known) > OUTGROWN * maxBytes
    const loaded = known === undefined || isWorn || isOutgrown ? nothing() : known
    loadedTexts.delete(workspaceId)
    loadedTexts.set(workspaceId, loaded)
    return loaded
  }
  const forgetOldest = (): void => {
    let bytes = 0
    for (const loaded of loadedTexts.values()) bytes += bytesOf(loaded)
    for (const [workspaceId, loaded] of loadedTexts) {
      if (bytes <= maxBytes || loadedTexts.size === 1) return
      loadedTexts.delete(workspaceId)
      bytes -= bytesOf(loaded)
    }
  }
  const put = ({ index, shown, keys }: LoadedTexts, name: string, text: ChangedText, age: 'newest' | 'oldest') => {
    const { id, kind, fields } = text
    if (fields === null) return
    const key = index.add(bitOf(kind), fields, age)
    shown[key] = kind === 'repeat' ? { type: 'signal', id: text.shown, repeat: id } : { type: kind, id, repeat: null }
    keys.set(name, key)
  }
  const takeChanged = (loaded: LoadedTexts, text: ChangedText): void => {
    const { index, keys, again } = loaded
    const name = `${text.id} ${text.kind}`
    if (again.get(name) === text.transaction) return
    again.set(name, text.transaction)
    const known = keys.get(name)
    if (known !== undefined) index.remove(known)
    keys.delete(name)
    put(loaded, name, text, 'newest')
  }
  /** What was read of it as a change meanwhile is newer. */
  const takeFirst = (loaded: LoadedTexts, text: ChangedText): void => {
    const name = `${text.id} ${text.kind}`
    if (loaded.again.has(name) || loaded.keys.has(name)) return
    if (BigInt(text.transaction) >= BigInt(loaded.from ?? 0)) loaded.again.set(name, text.transaction)
    put(loaded, name, text, 'oldest')
  }
  /** Reads what there is, from where the last such reading ended, until it is all held or was forgotten. */
  const readFirst = async (read: Read, workspaceId: WorkspaceId, loaded: LoadedTexts): Promise<void> => {
    for (let kinds = FIRST[loaded.pass]; kinds !== undefined; kinds = FIRST[loaded.pass]) {
      const ofKinds = kinds
      const pageBefore = (place: ChangePlace) =>
        read(transaction => readTextsBefore(transaction, workspaceId, ofKinds, place, PAGE))
      for (let page = pageBefore(loaded.back), isLast = false; !isLast; await breathe()) {
        const { texts, oldest } = await page
        if (loadedTexts.get(workspaceId) !== loaded) return
        loaded.from ??= oldest
        const next = texts.at(-1) ?? loaded.back
        isLast = texts.length < PAGE
        // The database reads the next page while the words of this one are taken.
        if (!isLast) page = pageBefore(next)
        page.catch(() => {})
        for (const text of texts) takeFirst(loaded, text)
        loaded.back = next
        forgetOldest()
        if (!isLast && bytesOf(loaded) > maxBytes) {
          loaded.isCut = true
          loaded.pass = FIRST.length
          return
        }
      }
      loaded.pass += 1
      loaded.back = NEWEST
    }
  }
  /** Those who ask meanwhile share it. It is gone on with where it failed. */
  const firstReading = (read: Read, workspaceId: WorkspaceId, loaded: LoadedTexts): Promise<void> => {
    loaded.reading ??= readFirst(read, workspaceId, loaded).finally(() => {
      loaded.reading = null
    })
    return loaded.reading
  }
  /** Reads the changes on from where the last reading ended, be it at the end or in the middle. */
  const readOn = async (read: Read, workspaceId: WorkspaceId, loaded: LoadedTexts): Promise<void> => {
    if (loaded.from === null) return
    for (let isBehind = true; isBehind; ) {
      const place = loaded.place ?? before(loaded.from)
      const { texts, oldest } = await read(transaction => readChangedTexts(transaction, workspaceId, place, PAGE))
      loaded.oldest ??= oldest
      for (const text of texts) takeChanged(loaded, text)
      loaded.place = texts.at(-1) ?? place
      isBehind = texts.length >= PAGE
      if (isBehind) await breathe()
    }
    loaded.from = loaded.oldest ?? loaded.from
    loaded.place = null
    loaded.oldest = null
    // A page of the first reading may be older than a change that was taken in.
    if (!isRead(loaded)) return
    const from = BigInt(loaded.from)
    for (const [name, transaction] of loaded.again) if (BigInt(transaction) < from) loaded.again.delete(name)
  }

  return {
    refresh: async (read, workspaceId, waitMs) => {
      const loaded = load(workspaceId)
      if (!isRead(loaded)) await endsWithin(firstReading(read, workspaceId, loaded), waitMs)
      const turn = loaded.turn.then(() => readOn(read, workspaceId, loaded))
      // The next one goes on where this one failed.
      loaded.turn = turn.catch(() => {})
      const isReadOn = await endsWithin(turn, waitMs)
      forgetOldest()
      return { isWhole: isReadOn && isRead(loaded) && !loaded.isCut, isCut: loaded.isCut, texts: loaded.index.texts }
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
