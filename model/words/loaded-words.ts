import { setImmediate as breathe } from 'node:timers/promises'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WordIndex } from '../../infra/word-index/port.ts'
import { createWordIndex } from '../../infra/word-index/word-index.ts'
import { idFromBytes, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { readTermsAfter, type StoredTerms } from './stored-terms.ts'

const WORDS = 4
const ID_BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT
/**
 * Buffer for the id of a look-up or an insertion: its words have the machine's byte order, so that their bytes are the
 * id's.
 */
const idWords = new Uint32Array(WORDS)
const idBytes = new Uint8Array(idWords.buffer)
const FIRST_CAPACITY = 256
const FULL_AT = 0.6

/** Numbers 16-byte ids from 0 in order of arrival. Takes a quarter of a string `Map`'s memory. */
interface IdNumbers {
  readonly bytes: number
  /** Gives an id the next number, in place of an earlier one. */
  add(id: Uint8Array): number
  /** -1 for an unknown id. */
  find(id: Uint8Array): number
  id(number: number): SignalId
}

const createIdNumbers = (): IdNumbers => {
  let ids = new Uint32Array(FIRST_CAPACITY * WORDS)
  let size = 0
  /** Hash table with open addressing: the number plus 1; 0 for a free slot. */
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

/** Words of a workspace in memory. */
export interface LoadedWords {
  readonly index: WordIndex
  /** Ids of the texts, by the index's keys. */
  readonly ids: IdNumbers
  /** The original of each repeat, by its key. Other texts belong to the signal itself. */
  readonly repeated: Map<number, SignalId>
  /** Place of every `TEXTS_A_MILESTONE`-th text, in order. */
  readonly milestones: number[]
  /** Texts up to this place are left out for lack of room; 0 when none is. */
  readonly after: number
  through: number
  /** True before the first complete reading. */
  isCold: boolean
  /** Milliseconds since the epoch. */
  usedAt: number
  /** Estimated memory. Stored, because a processor holds thousands of workspaces and asks at each batch. */
  bytes: number
}

/** Texts of a page, of all its workspaces together: adding a page blocks the thread for some hundredths of a second. */
const PAGE = 2_000
/** Texts of a workspace in a page, at least: each page is a round trip. */
const LEAST = 50
const REPEATED_BYTES = 150
const TEXTS_A_MILESTONE = 100

export const nothing = (after: number): LoadedWords => {
  const held = { index: createWordIndex(), ids: createIdNumbers(), repeated: new Map<number, SignalId>() }
  const bytes = bytesOf(held)
  return { ...held, milestones: [], after, through: after, isCold: true, usedAt: 0, bytes }
}

/** A workspace with the place for its rows. */
export interface ReadInto {
  readonly workspaceId: WorkspaceId
  readonly loaded: LoadedWords
}

/** Two batches may read the same rows at once. Each row is added once, and replaces the text's earlier row. */
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

/** Reads the next page of each workspace. Answers the workspaces that may have more. */
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

/** Reads everything of each workspace, in transactions of its own. */
export const readAll = async (database: Database, requested: readonly ReadInto[]): Promise<void> => {
  for (let behind = requested; behind.length > 0; await breathe()) {
    const page = behind
    const workspaceIds = page.map(({ workspaceId }) => workspaceId)
    behind = await database.transaction({ role: 'assay_pipeline', workspaceIds }, transaction =>
      readPage(transaction, page),
    )
  }
}
