/** Characters that are read: the rest of a report is mostly quoted detail. */
const READ_LENGTH = 2000
/** Longest title. Without a title the first characters count as one. */
const TITLE_LENGTH = 200
const OPENING_LENGTH = 70
/** Longer words are keys, hashes and encoded files. */
const WORD_LENGTH = 40

const WORD = /[\p{L}\p{M}_]+|\p{N}+|[?!]/gu
const NUMBER = /^\p{N}/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** FNV-1a, 32 bits, with another offset basis for each kind of term. */
const FNV_PRIME = 0x01000193
const WORD_KIND = 0x811c9dc5
const TITLE_KIND = 0x1f35b2c7
const PAIR_KIND = 0x6b8e4d13
const SIGN_KIND = 0x2d4f9a61

const hashed = (text: string, start: number): number => {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME)
  return hash >>> 0
}

/** Hashed features of a text, so that nobody can read words from a stored classifier. */
export interface Terms {
  /** Number of times of each term: words, words of the title a second time, and pairs of neighbouring words. */
  readonly words: ReadonlyMap<number, number>
  /** Features that another classifier found. */
  readonly signs: readonly number[]
}

export const termsOf = (text: string, signs: Iterable<string>): Terms => ({
  words: wordsOf(text),
  signs: Array.from(signs, sign => hashed(sign, SIGN_KIND)),
})

const wordsOf = (text: string): ReadonlyMap<number, number> => {
  const words = new Map<number, number>()
  const add = (hash: number) => words.set(hash, (words.get(hash) ?? 0) + 1)
  const read = text.slice(0, READ_LENGTH).normalize('NFKC').toLowerCase()
  const lineEnd = read.indexOf('\n')
  const titleEnd = lineEnd > 0 && lineEnd <= TITLE_LENGTH ? lineEnd : OPENING_LENGTH
  let before = ''
  for (const { 0: found, index } of read.matchAll(WORD)) {
    for (const word of wordsIn(found)) {
      add(hashed(word, WORD_KIND))
      if (index < titleEnd) add(hashed(word, TITLE_KIND))
      if (before !== '') add(hashed(word, hashed(`${before} `, PAIR_KIND)))
      before = word
    }
  }
  return words
}

/** All numbers are one term. In scripts without spaces each two neighbouring characters are a word. */
const wordsIn = (found: string): readonly string[] => {
  if (NUMBER.test(found)) return ['0']
  if (!UNSPACED.test(found)) return found.length > WORD_LENGTH ? [] : [found]
  const characters = Array.from(found)
  return characters.length === 1 ? characters : characters.slice(1).map((each, at) => `${characters[at] ?? ''}${each}`)
}

/** Terms of several texts of a workspace, in the order of their hashes, with their rarity. */
export interface Vocabulary {
  readonly hashes: Uint32Array
  readonly rarity: Float32Array
}

/** The known terms of a text by their index in the vocabulary, with weights: words and signs have length 1 each. */
export interface Weighed {
  readonly places: Uint32Array
  readonly values: Float32Array
}

/** Least number of texts with a term. */
const LEAST_TEXTS = 2
/** Limit of the stored terms; the most frequent are kept. */
const MAX_TERMS = 16_384

export const vocabularyOf = (texts: readonly Terms[]): Vocabulary => {
  const counts = new Map<number, number>()
  const count = (hash: number) => counts.set(hash, (counts.get(hash) ?? 0) + 1)
  for (const { words, signs } of texts) {
    for (const hash of words.keys()) count(hash)
    for (const hash of signs) count(hash)
  }
  const several = [...counts].filter(([, texts]) => texts >= LEAST_TEXTS)
  const kept =
    several.length > MAX_TERMS
      ? several.toSorted(([one, left], [other, right]) => right - left || one - other).slice(0, MAX_TERMS)
      : several
  const hashes = Uint32Array.from(kept, ([hash]) => hash).toSorted()
  const rarity = Float32Array.from(hashes, hash => 1 + Math.log((1 + texts.length) / (1 + (counts.get(hash) ?? 0))))
  return { hashes, rarity }
}

/** TF-IDF with sublinear counts for words; all signs weigh the same. Empty without a known term. */
export const weigh = ({ hashes, rarity }: Vocabulary, { words, signs }: Terms): Weighed => {
  const places: number[] = []
  const values: number[] = []
  let squares = 0
  for (const [hash, count] of words) {
    const place = placeOf(hashes, hash)
    if (place === -1) continue
    const value = (1 + Math.log(count)) * (rarity[place] ?? 0)
    places.push(place)
    values.push(value)
    squares += value * value
  }
  const length = Math.sqrt(squares) || 1
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) / length
  const known = signs.map(hash => placeOf(hashes, hash)).filter(place => place !== -1)
  for (const place of known) {
    places.push(place)
    values.push(1 / Math.sqrt(known.length))
  }
  return { places: Uint32Array.from(places), values: Float32Array.from(values) }
}

const placeOf = (hashes: Uint32Array, hash: number): number => {
  let low = 0
  let high = hashes.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = hashes[middle] ?? 0
    if (found === hash) return middle
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return -1
}
