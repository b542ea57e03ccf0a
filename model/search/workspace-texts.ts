import type { Field, Fields, TextIndex } from '../../infra/text-index/port.ts'
import { createTextIndex } from '../../infra/text-index/text-index.ts'
import type { ChangedText, IndexedKind } from './changed-texts.ts'
import { SEARCHED, type Searched } from './searched.ts'

export interface FoundText {
  readonly type: Searched
  readonly id: string
  /** 0 to 1. */
  readonly score: number
  /** `cut`: in what is kept of a mail beside its text. */
  readonly field: Field | 'cut'
  /** The repeats of a Signal that have the words, the best first. */
  readonly repeats: readonly string[]
}

/** The words of one workspace, as far as they were taken in. */
export interface WorkspaceTexts {
  readonly index: Pick<TextIndex, 'texts'>
  /** How many texts are not found by all of their words, since the index could not take them whole. */
  cut(): number
  /** About how much memory it takes. */
  bytes(): number
  /** Whether most of what it takes are words of texts that were removed. */
  isWorn(): boolean
  /** Takes in a text as a change has it. */
  takeChanged(text: ChangedText): void
  /** Takes in a text of the first reading, unless a change has it: that is newer. `from`: what will be read again. */
  takeFirst(text: ChangedText, from: string): void
  /** Changes of older transactions than this one are not read again. */
  passBy(from: string): void
  /** What has some of the words, at most so much, the best first. */
  search(text: string, types: readonly Searched[], count: number): readonly FoundText[]
  /** The newest that have all of the words, at most so many; near ones count too, unless they must be as written. */
  having(text: string, type: Searched, atMost: number, words?: 'as written'): readonly string[]
  /** Gives up texts that are not stored any more. */
  remove(ids: readonly string[]): void
}

export const KINDS: readonly IndexedKind[] = [...SEARCHED, 'repeat']
const bitOf = (kind: IndexedKind): number => 1 << KINDS.indexOf(kind)
/** What is kept beside a text is a text of its own: it makes no other longer, and is found by searches alone. */
const CUT = 1 << KINDS.length
/** It is another's words, or says nothing, as far as anybody can tell. */
const CUT_WEIGHT = 0.8
const bitsOf = (types: readonly Searched[]): number =>
  types.reduce((bits, type) => bits | bitOf(type) | (type === 'signal' ? bitOf('repeat') : 0), 0)

/** What is kept of a text beside its words. */
const TEXT_BYTES = 250
/** Words that were removed stay in memory. With more of them than of others, and so many, it is worn. */
const MAX_REMOVED = 1_000
/** A Signal may be found by its own words and by those of its repeats, and by what is kept beside either. */
const TEXTS_A_SIGNAL = 4

export const createWorkspaceTexts = (index: TextIndex = createTextIndex()): WorkspaceTexts => {
  /** By the index's keys. */
  const shown: {
    readonly type: Searched
    readonly id: string
    readonly repeat: string | null
    readonly isCut: boolean
  }[] = []
  const keys = new Map<string, number>()
  /** Of what is kept beside these. */
  const cutKeys = new Map<string, number>()
  /** The transaction that each text was read of, of those that will be read again. */
  const again = new Map<string, string>()
  let refused = 0

  /** Null for a text that the index throws at: the others are found all the same. */
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
