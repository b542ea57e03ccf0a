/**
 * What a span of a text is to the text beside it: in both, a number or a name that only this one has, or another word
 * of this one alone.
 */
export type SpanMark = 'shared' | 'differs' | 'own'

export interface Segment {
  readonly text: string
  /** Null: a small word, or what is between words. */
  readonly mark: SpanMark | null
}

interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
  /** What two words have in common when they are forms of one. */
  readonly stem: string
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const MAX_CHARACTERS = 1500
/** A word by itself must say something; the small ones only match beside another. */
const TELLING = 5
/** Two words of so many characters may be forms of one. */
export const STEM = 5

// 7.1 and 7.2 begin alike and are not the same.
export const stemOf = (word: string): string => (/\p{N}/u.test(word) ? word : word.slice(0, STEM)).toLocaleLowerCase()

export const wordsOf = (text: string): Word[] =>
  [...words.segment(text.slice(0, MAX_CHARACTERS))].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ start: index, end: index + segment.length, text: segment, stem: stemOf(segment) }] : [],
  )

const isTelling = (run: readonly Word[]): boolean =>
  run.some(({ text }) => text.length >= TELLING || /\p{N}/u.test(text)) ||
  (run.length > 1 && run.some(({ text }) => text.length > 3))

/** `iOS`, `API`, `Firefox` within a sentence: a name, as far as its letters tell. */
const isName = (text: string, { text: word, start }: Word): boolean =>
  /\p{L}\p{Lu}/u.test(word) || (/^\p{Lu}\p{Ll}/u.test(word) && /[\p{L}\p{N},;:)] $/u.test(text.slice(0, start)))

interface Span {
  readonly start: number
  readonly end: number
  readonly mark: SpanMark
}

/** What a word is that stands in no run of words that the other text has too. */
const markOf = (text: string, word: Word, others: ReadonlySet<string>): readonly Span[] => {
  if (others.has(word.stem)) return []
  const { start, end } = word
  if (/\p{N}/u.test(word.text) || isName(text, word)) return [{ start, end, mark: 'differs' }]
  return word.text.length >= TELLING ? [{ start, end, mark: 'own' }] : []
}

/** The spans of `own`: the longest runs of words that stand in `other` too, in their order, and what else each has. */
const spans = (text: string, own: readonly Word[], other: readonly Word[]): readonly Span[] => {
  const found: Span[] = []
  const others = new Set(other.map(({ stem }) => stem))
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
    } else found.push(...run.flatMap(word => markOf(text, word, others)))
    place += run.length
  }
  return found
}

/** A text, cut where these spans begin and end. */
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

/**
 * Two texts, each cut where what it shares with the other begins and ends. Words count as shared when they begin alike:
 * `exports`, `exporting`.
 */
export const matching = (one: string, other: string): readonly [readonly Segment[], readonly Segment[]] => {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  return [segments(one, spans(one, left, right)), segments(other, spans(other, right, left))]
}

/** The numbers and names that a text alone has, each once, in its order. */
export const differing = (side: readonly Segment[]): readonly string[] => [
  ...new Set(side.flatMap(({ text, mark }) => (mark === 'differs' ? [text] : []))),
]
