import { FILLERS } from './small-words.ts'
import { foldedText, readWording, type Word } from './wording.ts'

/** Items of one sequence at a position where the other has different ones, or none. */
interface Change<Item> {
  readonly left: readonly Item[]
  readonly right: readonly Item[]
}

/**
 * The shortest list of changes between two sequences, by position (Myers 1986); null above `most` changes. Takes time
 * proportional to the length times `most`.
 */
const changesBetween = <Item extends { readonly text: string }>(
  left: readonly Item[],
  right: readonly Item[],
  most: number,
): readonly Change<Item>[] | null => {
  if (Math.abs(left.length - right.length) > most) return null
  const steps = furthest(left, right, most)
  return steps && trace(left, right, steps)
}

/** For each number of changes, the furthest position in `left` on each diagonal. The last entry reaches both ends. */
const furthest = <Item extends { readonly text: string }>(
  left: readonly Item[],
  right: readonly Item[],
  most: number,
): readonly Int32Array[] | null => {
  const steps: Int32Array[] = []
  const reach = new Int32Array(2 * most + 3)
  const middle = most + 1
  for (let count = 0; count <= most; count += 1) {
    for (let diagonal = -count; diagonal <= count; diagonal += 2) {
      let x = start(reach, middle, diagonal, count)
      let y = x - diagonal
      while (x < left.length && y < right.length && left[x]?.text === right[y]?.text) {
        x += 1
        y += 1
      }
      reach[middle + diagonal] = x
      if (x >= left.length && y >= right.length) return [...steps, reach.slice()]
    }
    steps.push(reach.slice())
  }
  return null
}

const isDown = (reach: Int32Array, middle: number, diagonal: number, count: number): boolean =>
  diagonal === -count ||
  (diagonal !== count && (reach[middle + diagonal - 1] ?? 0) < (reach[middle + diagonal + 1] ?? 0))

const start = (reach: Int32Array, middle: number, diagonal: number, count: number): number => {
  if (count === 0) return 0
  return isDown(reach, middle, diagonal, count)
    ? (reach[middle + diagonal + 1] ?? 0)
    : (reach[middle + diagonal - 1] ?? 0) + 1
}

/** Walks back from the ends and joins neighbouring items into one change. */
const trace = <Item>(
  left: readonly Item[],
  right: readonly Item[],
  steps: readonly Int32Array[],
): readonly Change<Item>[] => {
  const middle = ((steps[0]?.length ?? 0) - 1) / 2
  const changes: { left: Item[]; right: Item[] }[] = []
  let x = left.length
  let y = right.length
  let open = false
  for (let count = steps.length - 1; count > 0; count -= 1) {
    const reach = steps[count - 1] ?? new Int32Array(0)
    const diagonal = x - y
    const down = isDown(reach, middle, diagonal, count)
    const from = down ? diagonal + 1 : diagonal - 1
    const beforeX = reach[middle + from] ?? 0
    const beforeY = beforeX - from
    const afterX = down ? beforeX : beforeX + 1
    if (x > afterX) open = false
    if (!open) changes.push({ left: [], right: [] })
    open = true
    const change = changes.at(-1)
    if (down) change?.right.unshift(...right.slice(beforeY, beforeY + 1))
    else change?.left.unshift(...left.slice(beforeX, beforeX + 1))
    x = beforeX
    y = beforeY
  }
  return changes.reverse()
}

const LEAST_LENGTH = 5
/** From this length on, one different letter is more likely a typing error than another word. */
const LEAST_SUBSTITUTED = 8
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u

/**
 * True when the words differ by a typing error: two swapped letters, one missing or extra letter, or in a long word one
 * different letter. The first letter must be equal. In Turkish an extra `m` negates a verb, so it counts only beside
 * another `m`.
 */
const isTypo = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < LEAST_LENGTH - 1 || long.length < LEAST_LENGTH || long.length - short.length > 1) return false
  if (short[0] !== long[0] || UNSPACED.test(long)) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (long.length > short.length) {
    const added = long[at]
    const doubled = added === long[at - 1] || added === long[at + 1]
    return short.slice(at) === long.slice(at + 1) && (added !== 'm' || doubled)
  }
  const swapped = short[at] === long[at + 1] && short[at + 1] === long[at]
  if (swapped) return short.slice(at + 2) === long.slice(at + 2)
  return short.length >= LEAST_SUBSTITUTED && short.slice(at + 1) === long.slice(at + 1)
}

const MAX_CHANGES = 32
/** Limits of plain words that one text may have more below the title. */
const ADDED_SHARE = 0.05
const MAX_ADDED = 6
const WORDS_A_TYPO = 6

/**
 * True when two texts say the same, whatever their vectors. They may differ in typing errors, fillers and a few plain
 * words that one of them has more below the title, but in no number, version, name, host, negation or opposite, and not
 * in the order of words.
 */
export const saysTheSame = (left: readonly Word[], right: readonly Word[]): boolean => {
  const changes = changesBetween(left, right, MAX_CHANGES)
  if (changes === null) return false
  const words = Math.min(left.length, right.length)
  const rest = changes.filter(change => !isSlip(change))
  const added = rest.flatMap(change => change.left).filter(word => !isFiller(word))
  const more = rest.flatMap(change => change.right).filter(word => !isFiller(word))
  if (rest.some(isExchange) || (added.length > 0 && more.length > 0)) return false
  const plain = [...added, ...more]
  return (
    plain.every(word => !(word.isFact || word.isName || word.isTitle)) &&
    plain.length <= Math.min(MAX_ADDED, words * ADDED_SHARE) &&
    changes.length - rest.length <= 1 + words / WORDS_A_TYPO
  )
}

/**
 * True when so many words are missing from another text that the two cannot say the same, since each is a change.
 * `folded` is what `foldedText` answers for that text.
 */
export const isFarApart = (words: readonly Word[], folded: string | null): boolean => {
  if (folded === null) return false
  let missing = 0
  for (const { text } of words) {
    if (!folded.includes(text)) missing += 1
    if (missing > MAX_CHANGES) return true
  }
  return false
}

/** The same for a text whose words are not read yet: they are read only when they can decide. */
export const saysTheSameAs = (words: readonly Word[], text: string): boolean =>
  !isFarApart(words, foldedText(text)) && saysTheSame(words, readWording(text))

/** A filler inside of a quotation or a name is a fact. */
const isFiller = ({ text, isFact }: Word): boolean => !isFact && FILLERS.has(text)

const isExchange = ({ left, right }: Change<Word>): boolean => left.length > 0 && right.length > 0

/** The same letters with other spaces, or a typing error in each word. */
const isSlip = ({ left, right }: Change<Word>): boolean =>
  joined(left) === joined(right) ||
  (left.length === right.length && left.every((word, index) => isSlippedWord(word, right[index])))

const joined = (words: readonly Word[]): string => words.map(word => word.text).join('')

const LEAST_NAME = 6

const isSlippedWord = (one: Word, other: Word | undefined): boolean => {
  if (other === undefined || one.isFact || other.isFact || !isTypo(one.text, other.text)) return false
  if (!one.isName && !other.isName) return true
  return Math.min(one.text.length, other.text.length) >= LEAST_NAME && one.text.at(-1) === other.text.at(-1)
}
