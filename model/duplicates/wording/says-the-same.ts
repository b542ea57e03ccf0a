import { FILLERS } from './small-words.ts'
import type { Word } from './wording.ts'

/** What one sequence has in a place where the other has something else, or nothing. */
interface Change<Item> {
  readonly left: readonly Item[]
  readonly right: readonly Item[]
}

/**
 * The fewest items to take out of one sequence and put in from the other, by places (Myers 1986); null when there are
 * more than `most` of them. Takes time in proportion to the length times `most`.
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

/** For each number of changes, how far into `left` each diagonal gets; the last one reaches both ends. */
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

/** Goes back from the ends, and gathers neighbouring items into one change. */
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
/** From this length on one other letter is more likely a slip than another word. */
const LEAST_SUBSTITUTED = 8
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]/u

/**
 * Whether one word is the other with a slip of the finger: two letters changed places, one is missing or too many, or,
 * in a long word, one is another. The first letter stays. In Turkish one `m` makes a verb its opposite: it counts as a
 * slip beside another `m` alone.
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
/** So many plain words may be added below the title. */
const ADDED_SHARE = 0.05
const MAX_ADDED = 6
const WORDS_A_TYPO = 6

/**
 * Whether two texts say the same, whatever their vectors: they differ in slips of the finger, in small words that say
 * nothing, and in few plain words that one of them has more below the title; in no number, version, name, host,
 * negation, opposite, nor in the order of words.
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

/** A filler that is quoted, or part of a name, is a fact. */
const isFiller = ({ text, isFact }: Word): boolean => !isFact && FILLERS.has(text)

const isExchange = ({ left, right }: Change<Word>): boolean => left.length > 0 && right.length > 0

/** The same letters, parted otherwise or with a slip in each word. */
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
