import type { Field, Fields, TextIndex } from '../../infra/text-index/port.ts'
import { createTextIndex } from '../../infra/text-index/text-index.ts'
import type { ChangedText, IndexedKind } from './changed-texts.ts'
import { SEARCHED, type SearchedType } from './searched.ts'

export interface FoundText {
  readonly type: SearchedType
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** `cut`: in a part of a mail beside its text. */
  readonly field: Field | 'cut'
  /** Repeats of a Signal that have the words, best first. */
  readonly repeats: readonly string[]
}

/** Words of one workspace, as far as they were read. */
export interface WorkspaceTexts {
  readonly index: Pick<TextIndex, 'texts'>
  /** Number of texts that are not found by all of their words, because the index could not take them whole. */
  cut(): number
  /** Estimated memory. */
  bytes(): number
  /** True when most of the memory holds words of removed texts. */
  isWorn(): boolean
  /** Adds or replaces a text by a change. */
  takeChanged(text: ChangedText): void
  /**
   * Adds a text of the first reading, unless a change, which is newer, has it. `from`: transactions from here on are
   * read again.
   */
  takeFirst(text: ChangedText, from: string): void
  /** Changes of older transactions are not read again. */
  passBy(from: string): void
  /** Texts with some of the words, best first. */
  search(text: string, types: readonly SearchedType[], count: number): readonly FoundText[]
  /** The newest texts with all of the words. Near words count, too, unless `as written`. */
  having(text: string, type: SearchedType, atMost: number, words?: 'as written'): readonly string[]
  /** Drops texts that are no longer stored. */
  remove(ids: readonly string[]): void
}

export const KINDS: readonly IndexedKind[] = [...SEARCHED, 'repeat']
const bitOf = (kind: IndexedKind): number => 1 << KINDS.indexOf(kind)
/** A mail's cut parts are a text of their own: they do not lengthen the mail's text, and only searches find them. */
const CUT = 1 << KINDS.length
/** Weight of cut parts, which are mostly others' words or say nothing. */
const CUT_WEIGHT = 0.8
const bitsOf = (types: readonly SearchedType[]): number =>
  types.reduce((bits, type) => bits | bitOf(type) | (type === 'signal' ? bitOf('repeat') : 0), 0)

/** Memory of a text beside its words. */
const TEXT_BYTES = 250
/** Words of removed texts stay in memory. An index with more of them than of others, beyond this number, is worn. */
const MAX_REMOVED = 1_000
/** Texts of a Signal: its own and its repeats', and the cut parts of both. */
const TEXTS_A_SIGNAL = 4

export const createWorkspaceTexts = (index: TextIndex = createTextIndex()): WorkspaceTexts => {
  /** By the index's keys. */
  const shown: {
    readonly type: SearchedType
    readonly id: string
    readonly repeat: string | null
    readonly isCut: boolean
  }[] = []
  const keys = new Map<string, number>()
  /** Index keys of the cut parts. */
  const cutKeys = new Map<string, number>()
  /** For texts that will be read again, the transaction of each. */
  const again = new Map<string, string>()
  let refused = 0

  /** Null for a text that the index cannot take; the others stay searchable. */
  const addTo = (kind: number, fields: Fields, age: 'newest' | 'oldest'): number | null => {
    try {
      return index.add(kind, fields, age)
    } catch {
      refused += 1
      return null
    }
  }
  const put = (name: string, { id, kind, fields, cut, ...text }: ChangedText, age: 'newest' | 'oldest'): void => {
    if (fields === null) return
    const of =
      kind === 'repeat'
        ? ({ type: 'signal', id: text.shown, repeat: id } as const)
        : ({ type: kind, id, repeat: null } as const)
    const key = addTo(bitOf(kind), fields, age)
    if (key === null) return
    shown[key] = { ...of, isCut: false }
    keys.set(name, key)
    const cutKey = cut === '' ? null : addTo(CUT, { text: cut }, age)
    if (cutKey === null) return
    shown[cutKey] = { ...of, isCut: true }
    cutKeys.set(name, cutKey)
  }
  const take = (name: string): void => {
    for (const held of [keys, cutKeys]) {
      const known = held.get(name)
      if (known !== undefined) index.remove(known)
      held.delete(name)
    }
  }

  return {
    index: {
      get texts() {
        return index.texts - cutKeys.size
      },
    },
    cut: () => index.cut + refused,
    bytes: () => index.bytes + shown.length * TEXT_BYTES,
    isWorn: () => index.removed > MAX_REMOVED + index.texts,
    takeChanged: text => {
      const name = `${text.id} ${text.kind}`
      if (again.get(name) === text.transaction) return
      again.set(name, text.transaction)
      take(name)
      put(name, text, 'newest')
    },
    takeFirst: (text, from) => {
      const name = `${text.id} ${text.kind}`
      if (again.has(name) || keys.has(name)) return
      if (BigInt(text.transaction) >= BigInt(from)) again.set(name, text.transaction)
      put(name, text, 'oldest')
    },
    passBy: from => {
      for (const [name, transaction] of again) if (BigInt(transaction) < BigInt(from)) again.delete(name)
    },
    search: (text, types, count) => {
      const found = new Map<string, FoundText & { readonly repeats: string[] }>()
      const kinds = bitsOf(types) | (types.includes('signal') ? CUT : 0)
      const matches = index
        .search({ text, kinds }, count * TEXTS_A_SIGNAL)
        .flatMap(({ key, score, field }) => {
          const match = shown[key]
          if (match === undefined) return []
          return [
            match.isCut ? { ...match, score: score * CUT_WEIGHT, field: 'cut' as const } : { ...match, score, field },
          ]
        })
        .toSorted((one, other) => other.score - one.score)
      for (const { type, id, repeat, score, field } of matches) {
        const known = found.get(id) ?? { type, id, score, field, repeats: [] }
        if (repeat !== null) known.repeats.push(repeat)
        found.set(id, known)
      }
      return [...found.values()].slice(0, count)
    },
    having: (text, type, atMost, words) => {
      const query = { text, kinds: bitsOf([type]), asWritten: words === 'as written' }
      return [...new Set(index.having(query, atMost).flatMap(key => shown[key]?.id ?? []))]
    },
    remove: ids => {
      for (const id of ids) for (const kind of KINDS) take(`${id} ${kind}`)
    },
  }
}
