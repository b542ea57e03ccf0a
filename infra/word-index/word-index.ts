import { longEnough } from './pool.ts'
import { likeness, type WordIndex, type WordMatch } from './port.ts'
import { createBest, createPostingLists, LONGEST_LIST } from './postings.ts'
import { COUNTS, COUNTS_BITS, type Compared, createStoredTexts, FREQUENCY_WEIGHTS } from './stored-texts.ts'
import { hashOf, MAX_BEHIND, readTerms } from './terms.ts'
import { createVocabulary } from './vocabulary.ts'

/** Maximum of list entries that a search reads; the rarest word's list is read in any case. */
const EFFORT = 8_000
/** Number of best texts by the read lists that are scored exactly. */
const SCORED = 40
/** The term of an unknown word: an entry with -1. */
const UNKNOWN = -1 >>> COUNTS_BITS

// Buffers that searches of all indexes share; all 0 between two searches.
let sums = new Float32Array(0)
let touched = new Uint32Array(0)
let weightOf = new Float64Array(0)
let isInTitle = new Uint8Array(0)
const list = new Uint32Array(LONGEST_LIST)

/** Adds to the sum of each text in `list`. Returns the number of texts found so far. */
const addList = (length: number, factor: number, namedBefore: number): number => {
  const [into, names] = [sums, touched]
  let named = namedBefore
  for (let index = 0; index < length; index += 1) {
    const entry = list[index] ?? 0
    const key = entry >>> COUNTS_BITS
    const sum = into[key] ?? 0
    // Without a branch, which would be mispredicted half of the time: the written key stays only where the count moves
    // on.
    names[named] = key
    named += Number(sum === 0)
    into[key] = sum + factor * (FREQUENCY_WEIGHTS[entry & COUNTS] ?? 0)
  }
  return named
}

/** The best of the found texts, at most `atMost`, by sum over length. Zeroes the sums. */
const bestOf = (named: number, atMost: number, inverses: Float32Array, except: number): readonly number[] => {
  const [from, names] = [sums, touched]
  const best = createBest(atMost)
  let least = 0
  for (let index = 0; index < named; index += 1) {
    const key = names[index] ?? 0
    const score = (from[key] ?? 0) * (inverses[key] ?? 0)
    from[key] = 0
    if (score > least && key !== except) least = best.offer(key, score)
  }
  return best.keys()
}

/** A searched text. Its length and rarities cover all its words; `terms` are those that some text has. */
interface Query extends Compared {
  readonly terms: readonly number[]
}

/**
 * An inverted index in memory, with each text's words beside it. A text is held from `add` until `remove`, which clears
 * its stored words; its list entries stay and count nothing, since its inverse length is 0.
 *
 * A search notes the query's terms (`asking`), sums the lists of its rarest words within `effort` (`addUp`), takes the
 * best by sum over length (`bestOf`), scores these by all words (`compareAll`), and zeroes the shared buffers. Results
 * are exact where lists are short, and the time is bounded where they are long.
 */
export const createWordIndex = (): WordIndex => {
  const vocabulary = createVocabulary()
  const texts = createStoredTexts(vocabulary)
  const postings = createPostingLists()
  let added = 0
  let removed = 0

  /** Runs `work` on the text with these entries; its terms are in the shared buffers meanwhile. */
  const asking = <Answer>(entries: ArrayLike<number>, work: (query: Query) => Answer): Answer => {
    weightOf = longEnough(weightOf, vocabulary.terms)
    isInTitle = longEnough(isInTitle, vocabulary.terms)
    const terms: number[] = []
    let squares = 0
    let raritySum = 0
    let titleRarity = 0
    let titleTerms = 0
    for (let place = 0; place < entries.length; place += 1) {
      const entry = entries[place] ?? 0
      const term = entry >>> COUNTS_BITS
      const counts = entry & COUNTS
      const rarity = vocabulary.rarity(term)
      const weight = (FREQUENCY_WEIGHTS[counts] ?? 0) * rarity
      const isTitle = Number(counts > MAX_BEHIND)
      squares += weight * weight
      raritySum += rarity
      titleRarity += isTitle * rarity
      titleTerms += isTitle
      if (term === UNKNOWN) continue
      terms.push(term)
      weightOf[term] = weight
      isInTitle[term] = isTitle
    }
    const known = { terms, weights: weightOf, inTitle: isInTitle }
    try {
      return work({ ...known, length: Math.sqrt(squares), rarity: raritySum, titleRarity, titleTerms })
    } finally {
      for (const term of terms) {
        weightOf[term] = 0
        isInTitle[term] = 0
      }
    }
  }

  /** Sums the lists of the rarest words. Returns the number of found texts, whose keys are in `touched`. */
  const addUp = ({ terms, weights }: Query, effort: number): number => {
    const rarestFirst = terms.toSorted((one, other) => vocabulary.having(one) - vocabulary.having(other))
    sums = longEnough(sums, added)
    let read = 0
    let named = 0
    for (const term of rarestFirst) {
      const length = postings.length(term)
      if (read > 0 && read + length > effort) break
      read += length
      postings.read(term, list)
      touched = longEnough(touched, named + length + 1)
      named = addList(length, (weights[term] ?? 0) * vocabulary.rarity(term), named)
    }
    return named
  }
  const compareAll = (query: Query, keys: readonly number[]): readonly WordMatch[] =>
    keys.map(key => texts.compare(key, query))
  const find = (query: Query, count: number, effort: number, except: number): readonly WordMatch[] => {
    const named = addUp(query, effort)
    const keys = bestOf(named, Math.max(SCORED, 2 * count), texts.inverses(), except)
    return compareAll(query, keys)
      .toSorted((one, other) => likeness(other) - likeness(one) || one.key - other.key)
      .slice(0, count)
  }

  return {
    get texts() {
      return added - removed
    },
    get removed() {
      return removed
    },
    get bytes() {
      return vocabulary.bytes + texts.bytes + postings.bytes
    },
    add: given => {
      const terms: number[] = []
      const entries: number[] = []
      readTerms(given, (hash, counts) => {
        const term = vocabulary.findOrAdd(hash)
        terms.push(term)
        entries.push((term << COUNTS_BITS) | counts)
        postings.append(term, (added << COUNTS_BITS) | counts)
      })
      if (terms.length > 0) vocabulary.addText(terms)
      texts.measure(texts.add(entries))
      added += 1
    },
    remove: key => {
      if (!texts.has(key)) return
      removed += 1
      vocabulary.removeText(Array.from(texts.entries(key), entry => entry >>> COUNTS_BITS))
      texts.remove(key)
    },
    nearest: (given, count, effort = EFFORT) => {
      const entries: number[] = []
      readTerms(given, (hash, counts) => entries.push((vocabulary.find(hash) << COUNTS_BITS) | counts))
      return asking(entries, query => find(query, count, effort, -1))
    },
    nearestTo: (key, count, effort = EFFORT) => asking(texts.entries(key), query => find(query, count, effort, key)),
    rarityOf: word => vocabulary.rarity(vocabulary.find(hashOf(word))) / vocabulary.rarities().highest,
    compare: (key, keys) => asking(texts.entries(key), query => compareAll(query, keys)),
  }
}
