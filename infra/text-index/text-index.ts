import { LONGEST_RUN, longEnough } from '../word-index/pool.ts'
import { createBest, createPostingLists, createStoredRuns } from '../word-index/postings.ts'
import { MAX_BEHIND, MAX_IN_TITLE, TITLE_SHIFT } from '../word-index/terms.ts'
import { asWritten, type Concept, type ParsedQuery, readQuery } from './concepts.ts'
import { createDictionary } from './dictionary.ts'
import { FIELDS, type Field, type Fields, type TextIndex, type TextMatch, type TextQuery } from './port.ts'
import { scanWords } from './words.ts'

/** Characters of a text that are indexed; the rest is an attachment. */
export const READ_CHARACTERS = 20_000
const LONGEST_LIST = 1 << 20
/** Maximum of list entries that a search reads; the rarest word's list is read in any case. */
const EFFORT = 400_000
/** Number of best texts that are checked word by word. */
const LOOKED_AT = 60
/** Maximum of texts that are checked for two adjacent words. */
const MAX_BESIDE = 1_000
/** Above this many texts with either of two words, adjacency is not checked. */
const MAX_SPLIT = 40_000
/**
 * A text is stored as one number for each word: the low bits hold the word's number, above them the field's number; the
 * highest bit marks an alternative reading of the words before it.
 */
const FIELD_SHIFT = 28
const WORD = (1 << FIELD_SHIFT) - 1
const FIELD_BITS = 7
const ALTERNATIVE = 1 << 31
const fieldOf = (entry: number): number => (entry >>> FIELD_SHIFT) & FIELD_BITS
const isAlternative = (entry: number): boolean => entry >>> 31 === 1
const KEY_SHIFT = 8
const COUNTS = 255

interface FieldWords {
  readonly words: readonly string[]
  /** The positions of alternatives; null where there are none, as in most texts. */
  readonly alternatives: ReadonlySet<number> | null
}

const readField = (text: string): FieldWords => {
  const words: string[] = []
  let alternatives: Set<number> | null = null
  scanWords(text, (word, kind) => {
    if (kind !== 'word') {
      alternatives ??= new Set()
      alternatives.add(words.length)
    }
    words.push(word)
  })
  return { words, alternatives }
}

/** True when a phrase begins at this entry. Two words of the text may be read as one word of the phrase. */
const isPhraseAt = (entries: Uint32Array, from: number, phrase: readonly number[]): boolean => {
  let at = from
  for (const term of phrase) {
    while (isAlternative(entries[at] ?? 0) && ((entries[at] ?? 0) & WORD) !== term) at += 1
    const joined = entries[at + 2] ?? 0
    if (((entries[at] ?? WORD) & WORD) === term) at += 1
    else if (isAlternative(joined) && (joined & WORD) === term) at += 3
    else return false
  }
  return true
}

/** Number of intervals into which ranks are divided. */
const STRETCHES = 4096

// BM25 (Robertson and Zaragoza, 2009); a word in the title counts four times.
const SATURATION = 1.5
const LENGTH_SHARE = 0.6
const TITLE_WEIGHT = 4
const FREQUENCY = Float32Array.from(
  { length: 256 },
  (_, counts) => TITLE_WEIGHT * ((counts >>> TITLE_SHIFT) & MAX_IN_TITLE) + (counts & MAX_BEHIND),
)
/**
 * The share of the score that does not depend on covered query words, and the bonus for words adjacent as in the query.
 */
const UNCOVERED = 0.7
const BESIDE = 0.1
/** Weight of two adjacent words that stand for one. */
const BESIDE_EACH_OTHER = 0.5

// Buffers that searches of all indexes share. `sums` and `covered` are all 0 between two searches.
let sums = new Float32Array(0)
let covered = new Int32Array(0)
let touched = new Uint32Array(0)
let list = new Uint32Array(0)
// Buffers for the words of an added text. The counts are all 0 between two calls.
let addedEntries = new Uint32Array(0)
let addedTerms = new Uint32Array(0)
let termCounts = new Uint8Array(0)
/** By term: the query word that the term stands for, from 1; and by query word: its weight. */
let places = new Uint16Array(0)
const weightAt = new Float64Array(32)
const PLACE_BITS = 8

/** Runs a search, and zeroes the shared buffers if the search throws. */
const inSharedRoom = <Result>(lookUp: () => Result): Result => {
  try {
    return lookUp()
  } catch (error) {
    for (const room of [sums, covered, places]) room.fill(0)
    throw error
  }
}

const bitsIn = (bits: number): number => {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count += 1
  return count
}

interface Weighed {
  readonly concept: Concept
  /** The rarity of the query word. */
  readonly weight: number
  readonly bit: number
  /** The position in the query, from 1. */
  readonly place: number
  readonly length: number
}

/**
 * An inverted index in memory, with each text's words in order beside it. A text is
 * - held: `add` gave it the next key, appended it to its words' lists, and stored its words in order;
 * - removed: `remove` cleared its kind and stored words. Its list entries stay, and are skipped since its kind is 0.
 *
 * A search reads the query's concepts (`readQuery`), weighs them by rarity (`weigh`), sums their lists, rarest first,
 * within the effort (`addUp`), and ranks the best texts by adjacency (`ranked`). Then it zeroes the shared buffers.
 */
export const createTextIndex = (): TextIndex => {
  const dictionary = createDictionary()
  const postings = createPostingLists(LONGEST_LIST)
  const stored = createStoredRuns()
  let kinds = new Uint16Array(0)
  let lengths = new Uint16Array(0)
  /** A higher rank is newer. */
  let ranks = new Int32Array(0)
  let [newest, oldest] = [0, 0]
  let added = 0
  let removed = 0
  let cut = 0
  let words = 0

  const texts = (): number => added - removed
  const rankOf = (key: number): number => ranks[key] ?? 0
  const having = (term: number): number => (term === -1 ? 0 : postings.length(term))

  const add = (kind: number, fields: Fields, age: 'newest' | 'oldest' = 'newest'): number => {
    // Reads the words before anything changes: an error here adds nothing.
    const wordsOfFields = FIELDS.map((field, number) => ({
      field,
      number,
      ...readField((fields[field] ?? '').slice(0, READ_CHARACTERS)),
    })).toSorted((one, other) => one.words.length - other.words.length)
    const key = added
    added += 1
    kinds = longEnough(kinds, added)
    lengths = longEnough(lengths, added)
    ranks = longEnough(ranks, added)
    if (age === 'newest') newest += 1
    else oldest -= 1
    ranks[key] = age === 'newest' ? newest : oldest
    let [length, distinct, main] = [0, 0, 0]
    for (const { field, number, words: written, alternatives } of wordsOfFields) {
      const one = field === 'title' ? 1 << TITLE_SHIFT : 1
      const most = field === 'title' ? MAX_IN_TITLE << TITLE_SHIFT : MAX_BEHIND
      // One character may stand for several words, such as U+FDFA for four. The longest field comes last and is cut.
      const kept = written.length > LONGEST_RUN - length ? written.slice(0, LONGEST_RUN - length) : written
      if (kept !== written) cut += 1
      addedEntries = longEnough(addedEntries, length + kept.length)
      addedTerms = longEnough(addedTerms, length + kept.length)
      for (let place = 0; place < kept.length; place += 1) {
        const term = dictionary.findOrAdd(kept[place] ?? '')
        const isMain = alternatives === null || !alternatives.has(place)
        addedEntries[length] = (isMain ? 0 : ALTERNATIVE) | (number << FIELD_SHIFT) | term
        length += 1
        if (isMain) main += 1
        termCounts = longEnough(termCounts, term + 1)
        const known = termCounts[term] ?? 0
        if (known === 0) {
          addedTerms[distinct] = term
          distinct += 1
        }
        if ((known & most) < most) termCounts[term] = known + one
      }
    }
    for (let place = 0; place < distinct; place += 1) {
      const term = addedTerms[place] ?? 0
      postings.append(term, ((key << KEY_SHIFT) | (termCounts[term] ?? 0)) >>> 0)
      termCounts[term] = 0
    }
    stored.add(addedEntries.subarray(0, length))
    kinds[key] = kind
    lengths[key] = main
    words += main
    return key
  }

  /**
   * Adds a word's score to a text for a concept. Returns the number of texts found so far. A concept counts once in a
   * text, by the variant that is read first.
   */
  const note = (key: number, bit: number, score: number, named: number): number => {
    const known = covered[key] ?? 0
    if ((known & bit) !== 0) return named
    covered[key] = known | bit
    sums[key] = (sums[key] ?? 0) + score
    if (known !== 0) return named
    touched[named] = key
    return named + 1
  }
  const addVariant = (term: number, factor: number, bit: number, wanted: number, namedBefore: number): number => {
    const length = readList(term)
    touched = longEnough(touched, namedBefore + length)
    const [from, ofKind, long] = [list, kinds, lengths]
    const perWord = (SATURATION * LENGTH_SHARE * added) / Math.max(1, words)
    let named = namedBefore
    for (let place = 0; place < length; place += 1) {
      const entry = from[place] ?? 0
      const key = entry >>> KEY_SHIFT
      if (((ofKind[key] ?? 0) & wanted) === 0) continue
      const frequency = FREQUENCY[entry & COUNTS] ?? 0
      const norm = SATURATION * (1 - LENGTH_SHARE) + perWord * (long[key] ?? 0)
      named = note(key, bit, (factor * frequency) / (frequency + norm), named)
    }
    return named
  }
  const readList = (term: number): number => {
    const length = postings.length(term)
    list = longEnough(list, length)
    postings.read(term, list)
    return length
  }

  const lengthOf = (terms: Iterable<number>): number => {
    let length = 0
    for (const term of terms) length += postings.length(term)
    return length
  }
  const besideEachOther = ({ left, right }: Concept['splits'][number], wanted: number): readonly number[] => {
    if (lengthOf(left) + lengthOf(right) > MAX_SPLIT) return []
    const withLeft = new Set<number>()
    for (const term of left) {
      const length = readList(term)
      for (let place = 0; place < length; place += 1) withLeft.add((list[place] ?? 0) >>> KEY_SHIFT)
    }
    const both: number[] = []
    for (const term of right) {
      const length = readList(term)
      for (let place = 0; place < length; place += 1) {
        const key = (list[place] ?? 0) >>> KEY_SHIFT
        if (withLeft.has(key) && ((kinds[key] ?? 0) & wanted) !== 0) both.push(key)
      }
    }
    return both.slice(-MAX_BESIDE).filter(key => {
      let [field, isBehindLeft, isBehindJoined] = [-1, false, false]
      for (const entry of stored.entries(key)) {
        if (isAlternative(entry)) {
          isBehindJoined = left.has(entry & WORD)
          continue
        }
        if ((isBehindLeft || isBehindJoined) && field === fieldOf(entry) && right.has(entry & WORD)) return true
        field = fieldOf(entry)
        isBehindLeft = left.has(entry & WORD)
        isBehindJoined = false
      }
      return false
    })
  }

  /** Rarest first. */
  const weigh = ({ concepts }: ParsedQuery): readonly Weighed[] =>
    concepts
      .map((concept, place) => {
        const length = lengthOf(concept.variants.keys())
        const known = Math.min(length, texts())
        return {
          concept,
          bit: 1 << place,
          place: place + 1,
          length,
          weight: Math.log(1 + (texts() - known + 0.5) / (known + 0.5)),
        }
      })
      .toSorted((one, other) => one.length - other.length)

  /**
   * Sums the concepts' scores in `sums` and `covered`, within the effort. Returns the number of found texts, whose keys
   * are in `touched`, and the bits of the concepts that were read.
   */
  const addUp = (weighed: readonly Weighed[], wanted: number): { readonly named: number; readonly bits: number } => {
    sums = longEnough(sums, added)
    covered = longEnough(covered, added)
    let [named, read, bits] = [0, 0, 0]
    for (const { concept, weight, bit, length } of weighed) {
      if (read > 0 && read + length > EFFORT) break
      read += length
      bits |= bit
      for (const [term, variant] of concept.variants) named = addVariant(term, weight * variant, bit, wanted, named)
      for (const split of concept.splits) {
        const keys = besideEachOther(split, wanted)
        touched = longEnough(touched, named + keys.length)
        for (const key of keys) named = note(key, bit, weight * BESIDE_EACH_OTHER, named)
      }
    }
    return { named, bits }
  }
  const clear = (named: number): void => {
    for (let place = 0; place < named; place += 1) {
      const key = touched[place] ?? 0
      sums[key] = 0
      covered[key] = 0
    }
  }

  const hasPhrases = (key: number, { phrases }: ParsedQuery): boolean => {
    const entries = stored.entries(key)
    return phrases.every(phrase => entries.some((_, from) => isPhraseAt(entries, from, phrase)))
  }

  /** The best of the found texts, after a check of their words. */
  const ranked = (parsed: ParsedQuery, weighed: readonly Weighed[], named: number, count: number): TextMatch[] => {
    const total = weighed.reduce((sum, { weight }) => sum + weight, 0) || 1
    const scoreOf = (key: number): number => {
      const bits = covered[key] ?? 0
      let weight = 0
      for (const one of weighed) if ((bits & one.bit) !== 0) weight += one.weight
      return ((sums[key] ?? 0) / total) * (UNCOVERED + (1 - UNCOVERED) * (weight / total))
    }
    markPlaces(weighed)
    const found = createBest(Math.max(count, parsed.phrases.length > 0 ? MAX_BESIDE : LOOKED_AT))
    let least = 0
    for (let place = 0; place < named; place += 1) {
      const key = touched[place] ?? 0
      const score = scoreOf(key)
      if (score > least) least = found.offer(key, score)
    }
    const matches = found
      .keys()
      .filter(key => parsed.phrases.length === 0 || hasPhrases(key, parsed))
      .map(key => {
        const { beside, field } = lookAt(key, weighed)
        return { key, score: scoreOf(key) * (1 - BESIDE + BESIDE * beside), field }
      })
      .toSorted((one, other) => other.score - one.score || rankOf(other.key) - rankOf(one.key))
      .slice(0, count)
    forgetPlaces(weighed)
    return matches
  }
  const markPlaces = (weighed: readonly Weighed[]): void => {
    places = longEnough(places, dictionary.size)
    for (const { concept, place, weight } of weighed) {
      weightAt[place] = weight
      for (const term of concept.variants.keys()) if (places[term] === 0) places[term] = place
    }
  }
  const forgetPlaces = (weighed: readonly Weighed[]): void => {
    for (const { concept } of weighed) for (const term of concept.variants.keys()) places[term] = 0
  }
  /** The share of adjacent query words that are adjacent in the text, 0 to 1, and the field with most of the weight. */
  const lookAt = (key: number, weighed: readonly Weighed[]) => {
    const weights = FIELDS.map(() => 0)
    const seen = FIELDS.map(() => 0)
    let pairs = 0
    let before = 0
    for (const entry of stored.entries(key)) {
      const field = fieldOf(entry)
      const place = places[entry & WORD] ?? 0
      if (place === 0 && isAlternative(entry)) continue
      if (place !== 0) {
        const bit = 1 << (place - 1)
        if (before === ((field << PLACE_BITS) | (place - 1))) pairs |= bit
        if (((seen[field] ?? 0) & bit) === 0) {
          seen[field] = (seen[field] ?? 0) | bit
          weights[field] = (weights[field] ?? 0) + (weightAt[place] ?? 0)
        }
      }
      before = place === 0 ? 0 : (field << PLACE_BITS) | place
    }
    const most = Math.max(...weights)
    const field: Field = most === 0 ? 'text' : (FIELDS[weights.indexOf(most)] ?? 'text')
    return { field, beside: weighed.length < 2 ? 1 : bitsIn(pairs) / (weighed.length - 1) }
  }

  /**
   * The newest keys first, at most `atMost`. There may be a million keys: counting them by interval of ranks excludes
   * old ones before any comparison.
   */
  const newestOf = (keys: readonly number[], atMost: number): readonly number[] => {
    const newestFirst = (some: readonly number[]) => [...some].sort((one, other) => rankOf(other) - rankOf(one))
    if (keys.length <= atMost) return newestFirst(keys)
    const width = (newest - oldest + 1) / STRETCHES
    const counts = new Uint32Array(STRETCHES)
    const stretchOf = (key: number) => Math.floor((rankOf(key) - oldest) / width)
    for (const key of keys) counts[stretchOf(key)] = (counts[stretchOf(key)] ?? 0) + 1
    let least = STRETCHES
    for (let taken = 0; taken < atMost && least > 0; taken += counts[least] ?? 0) least -= 1
    return newestFirst(keys.filter(key => stretchOf(key) >= least)).slice(0, atMost)
  }

  const parse = ({ text, asWritten: isAsWritten }: TextQuery): ParsedQuery => {
    const parsed = readQuery(text, dictionary, { texts: texts(), having })
    return isAsWritten === true ? asWritten(parsed) : parsed
  }
  return {
    get texts() {
      return texts()
    },
    get removed() {
      return removed
    },
    get cut() {
      return cut
    },
    get bytes() {
      return dictionary.bytes + postings.bytes + stored.bytes + kinds.byteLength + lengths.byteLength + ranks.byteLength
    },
    add,
    remove: key => {
      if ((kinds[key] ?? 0) === 0) return
      kinds[key] = 0
      stored.remove(key)
      removed += 1
    },
    search: (query, count) =>
      inSharedRoom(() => {
        const parsed = parse(query)
        const weighed = weigh(parsed)
        const { named } = addUp(weighed, query.kinds)
        const matches = ranked(parsed, weighed, named, count)
        clear(named)
        return matches
      }),
    having: (query, atMost) =>
      inSharedRoom(() => {
        const parsed = parse(query)
        const weighed = weigh(parsed)
        const { named, bits } = addUp(weighed, query.kinds)
        const keys: number[] = []
        for (let place = 0; place < named; place += 1) {
          const key = touched[place] ?? 0
          if (covered[key] === bits && (parsed.phrases.length === 0 || hasPhrases(key, parsed))) keys.push(key)
        }
        clear(named)
        return newestOf(keys, atMost)
      }),
  }
}
