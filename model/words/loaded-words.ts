import { setImmediate as breathe } from 'node:timers/promises'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WordIndex } from '../../infra/word-index/port.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import { idFromBytes, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { readTermsAfter, type StoredTerms } from './stored-terms.ts'

const WORDS = 4
const ID_BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT
/** The id that is looked up or added: its words lie as the machine has them, so that their bytes are the id's. */
const idWords = new Uint32Array(WORDS)
const idBytes = new Uint8Array(idWords.buffer)
const FIRST_CAPACITY = 256
const FULL_AT = 0.6

/**
 * Numbers ids from 0 in the order in which they come; an id is 16 bytes. Takes a quarter of what a `Map` of strings
 * takes.
 */
interface IdNumbers {
  readonly bytes: number
  /** Gives an id the next number, in place of the one that it had. */
  add(id: Uint8Array): number
  /** -1 for an id without a number. */
  find(id: Uint8Array): number
  id(number: number): SignalId
}

const createIdNumbers = (): IdNumbers => {
  let ids = new Uint32Array(FIRST_CAPACITY * WORDS)
  let size = 0
  /** The number and 1 by open addressing; 0 where a place is free. */
  let numbers = new Uint32Array(FIRST_CAPACITY * 2)
  let held = 0

  const placeOf = (one: number, two: number, three: number, four: number): number => {
    const mask = numbers.length - 1
    let place = Math.imul(one ^ two ^ three ^ four, 0x9e3779b1) >>> 0
    for (place &= mask; ; place = (place + 1) & mask) {
      const number = numbers[place] ?? 0
      if (number === 0) return place
      const at = (number - 1) * WORDS
      if (ids[at] === one && ids[at + 1] === two && ids[at + 2] === three && ids[at + 3] === four) return place
    }
  }
  const placeOfNumber = (number: number): number => {
    const at = number * WORDS
    return placeOf(ids[at] ?? 0, ids[at + 1] ?? 0, ids[at + 2] ?? 0, ids[at + 3] ?? 0)
  }
  const grow = (): void => {
    const old = numbers
    numbers = new Uint32Array(old.length * 2)
    for (const number of old) if (number !== 0) numbers[placeOfNumber(number - 1)] = number
  }

  return {
    get bytes() {
      return ids.byteLength + numbers.byteLength
    },
    add: id => {
      if ((size + 1) * WORDS > ids.length) {
        const grown = new Uint32Array(ids.length * 2)
        grown.set(ids)
        ids = grown
      }
      const number = size
      size += 1
      idBytes.set(id)
      ids.set(idWords, number * WORDS)
      const place = placeOfNumber(number)
      if (numbers[place] === 0) held += 1
      numbers[place] = number + 1
      if (held > numbers.length * FULL_AT) grow()
      return number
    },
    find: id => {
      idBytes.set(id)
      return (numbers[placeOf(idWords[0] ?? 0, idWords[1] ?? 0, idWords[2] ?? 0, idWords[3] ?? 0)] ?? 0) - 1
    },
    id: number => idFromBytes(new Uint8Array(ids.buffer, number * ID_BYTES, ID_BYTES)),
  }
}

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
  /** About how much memory it takes, kept since a processor holds thousands and asks at each batch. */
  bytes: number
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

export const nothing = (after: number): LoadedWords => {
  const held = { index: createWordIndex(), ids: createIdNumbers(), repeated: new Map<number, SignalId>() }
  const bytes = bytesOf(held)
  return { ...held, milestones: [], after, through: after, isCold: true, usedAt: 0, bytes }
}

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

const bytesOf = ({ index, ids, repeated }: Pick<LoadedWords, 'index' | 'ids' | 'repeated'>): number =>
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
    if (stored.length > 0) loaded.bytes = bytesOf(loaded)
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
