/**
 * Relation of a span to the other text: in both; a number or name of this text alone; another word of this text alone.
 */
export type SpanMark = 'shared' | 'differs' | 'own'

export interface Segment {
  readonly text: string
  /** Null for a small word, or the text between words. */
  readonly mark: SpanMark | null
}

interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Common beginning of a word's forms. */
  readonly stem: string
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const MAX_CHARACTERS = 1500
/** Length of a word that may match alone; shorter words match only beside another. */
const TELLING = 5
/** Words with this many equal first characters may be forms of one word. */
export const STEM = 5

// Words with digits count whole: 7.1 and 7.2 begin alike and are different.
export const stemOf = (word: string): string => (/\p{N}/u.test(word) ? word : word.slice(0, STEM)).toLocaleLowerCase()

export const wordsOf = (text: string): Word[] =>
  [...words.segment(text.slice(0, MAX_CHARACTERS))].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ start: index, end: index + segment.length, text: segment, stem: stemOf(segment) }] : [],
  )

const isTelling = (run: readonly Word[]): boolean =>
  run.some(({ text }) => text.length >= TELLING || /\p{N}/u.test(text)) ||
  (run.length > 1 && run.some(({ text }) => text.length > 3))

/** `iOS`, `API`, or `Firefox` within a sentence, which may begin behind a colon: a name, by its letters. */
const isName = (text: string, { text: word, start }: Word): boolean =>
  /\p{L}\p{Lu}/u.test(word) || (/^\p{Lu}\p{Ll}/u.test(word) && /[\p{L}\p{N},;)] $/u.test(text.slice(0, start)))

interface Span {
  readonly start: number
  readonly end: number
  readonly mark: SpanMark
}

interface Beside {
  /** Stems of the other text. */
  readonly others: ReadonlySet<string>
  /** Names that do not distinguish texts, because all of them have these names. */
  readonly common: ReadonlySet<string>
}

/** Mark of a word outside of the shared runs. */
const markOf = (text: string, word: Word, { others, common }: Beside): readonly Span[] => {
  if (others.has(word.stem)) return []
  const { start, end } = word
  if (/\p{N}/u.test(word.text) || (isName(text, word) && !common.has(word.text)))
    return [{ start, end, mark: 'differs' }]
  return word.text.length >= TELLING ? [{ start, end, mark: 'own' }] : []
}

/** Spans of `own`: the longest runs of words that are in `other` too, in order, and the words of one text alone. */
const spans = (
  text: string,
  own: readonly Word[],
  other: readonly Word[],
  common: ReadonlySet<string>,
): readonly Span[] => {
  const found: Span[] = []
  const beside = { others: new Set(other.map(({ stem }) => stem)), common }
  for (let place = 0; place < own.length; ) {
    let longest = 0
    for (let start = 0; start < other.length; start += 1) {
      let length = 0
      while (place + length < own.length && own[place + length]?.stem === other[start + length]?.stem) length += 1
      longest = Math.max(longest, length)
    }
    const run = own.slice(place, place + Math.max(1, longest))
    const [first, last] = [run[0], run.at(-1)]
    if (longest > 0 && first !== undefined && last !== undefined && isTelling(run)) {
      found.push({ start: first.start, end: last.end, mark: 'shared' })
    } else found.push(...run.flatMap(word => markOf(text, word, beside)))
    place += run.length
  }
  return found
}

/** A text cut at its spans. */
export const segments = (text: string, marked: readonly Span[]): Segment[] => {
  const cut: Segment[] = []
  let at = 0
  for (const { start, end, mark } of marked) {
    if (start > at) cut.push({ text: text.slice(at, start), mark: null })
    cut.push({ text: text.slice(start, end), mark })
    at = end
  }
  if (at < text.length) cut.push({ text: text.slice(at), mark: null })
  return cut
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Two texts, each cut at the passages that they share. Words with the same beginning are shared: `exports`,
 * `exporting`. A `common` name does not count as own.
 */
export const matching = (
  one: string,
  other: string,
  common: ReadonlySet<string> = NONE,
): readonly [readonly Segment[], readonly Segment[]] => {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  return [segments(one, spans(one, left, right, common)), segments(other, spans(other, right, left, common))]
}

/** Numbers and names of one text alone, without duplicates, in order. */
export const differing = (side: readonly Segment[]): readonly string[] => [
  ...new Set(side.flatMap(({ text, mark }) => (mark === 'differs' ? [text] : []))),
]
