/** Where a report says what it is about; what follows is mostly quoted detail. */
const READ_LENGTH = 2000
/** A first line that is no longer is a title; without one, the first characters stand for it. */
const TITLE_LENGTH = 200
const OPENING_LENGTH = 70
/** Longer words are keys, hashes and encoded files. */
const WORD_LENGTH = 40

const WORD = /[\p{L}\p{M}_]+|\p{N}+|[?!]/gu
const NUMBER = /^\p{N}/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** FNV-1a, 32 bits, which begins at another number for each kind of term. */
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

/** What there is of a text to learn from, by hashes: nobody reads words back out of what is learned. */
export interface Terms {
  /** How often each comes: words, those of the title once more as such, and pairs of words that follow each other. */
  readonly words: ReadonlyMap<number, number>
  /** What another classifier found in the text. */
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

/**
 * A number is a number, whichever it is. In scripts without spaces each two characters that follow each other are a
 * word.
 */
const wordsIn = (found: string): readonly string[] => {
  if (NUMBER.test(found)) return ['0']
  if (!UNSPACED.test(found)) return found.length > WORD_LENGTH ? [] : [found]
  const characters = Array.from(found)
  return characters.length === 1 ? characters : characters.slice(1).map((each, at) => `${characters[at] ?? ''}${each}`)
}

/** The terms that come in several texts of a workspace, in the order of their hashes, and how rare each is. */
export interface Vocabulary {
  readonly hashes: Uint32Array
  readonly rarity: Float32Array
}

/**
 * The known terms of a text, by their place in the vocabulary, and how much each counts: words and signs are of length
 * 1 each.
 */
export interface Weighed {
  readonly places: Uint32Array
  readonly values: Float32Array
}

/** Terms of fewer texts say nothing of others. */
const LEAST_TEXTS = 2
/** Of more terms, those of the most texts are kept: the bound of what is stored for a workspace. */
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

/** TF-IDF with sublinear counts for the words; each sign counts the same. Empty where no term is known. */
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
