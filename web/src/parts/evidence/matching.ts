export interface Segment {
  readonly text: string
  readonly matches: boolean
}

interface Word {
  readonly start: number
  readonly end: number
  /** What two words have in common when they are forms of one. */
  readonly stem: string
  readonly length: number
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const MAX_CHARACTERS = 1500
/** A word by itself must say something; the small ones only match beside another. */
const TELLING = 5
const STEM = 5

const wordsOf = (text: string): Word[] =>
  [...words.segment(text.slice(0, MAX_CHARACTERS))].flatMap(({ segment, index, isWordLike }) =>
    isWordLike
      ? [
          {
            start: index,
            end: index + segment.length,
            stem: segment.toLocaleLowerCase().slice(0, STEM),
            length: segment.length,
          },
        ]
      : [],
  )

const isTelling = (run: readonly Word[]): boolean =>
  run.some(({ length }) => length >= TELLING) || (run.length > 1 && run.some(({ length }) => length > 3))

/** The ranges of `own` whose words, in their order, stand in `other` too: the longest runs first come. */
const ranges = (own: readonly Word[], other: readonly Word[]): readonly (readonly [number, number])[] => {
  const found: (readonly [number, number])[] = []
  for (let place = 0; place < own.length; ) {
    let longest = 0
    for (let start = 0; start < other.length; start += 1) {
      let length = 0
      while (place + length < own.length && own[place + length]?.stem === other[start + length]?.stem) length += 1
      longest = Math.max(longest, length)
    }
    const run = own.slice(place, place + longest)
    const [first, last] = [run[0], run.at(-1)]
    if (first !== undefined && last !== undefined && isTelling(run)) found.push([first.start, last.end])
    place += Math.max(1, longest)
  }
  return found
}

const segments = (text: string, marked: readonly (readonly [number, number])[]): Segment[] => {
  const cut: Segment[] = []
  let at = 0
  for (const [start, end] of marked) {
    if (start > at) cut.push({ text: text.slice(at, start), matches: false })
    cut.push({ text: text.slice(start, end), matches: true })
    at = end
  }
  if (at < text.length) cut.push({ text: text.slice(at), matches: false })
  return cut
}

/** Two texts, each cut where what it shares with the other begins and ends. Words count as shared when they begin alike: `exports`, `exporting`. */
export const matching = (one: string, other: string): readonly [readonly Segment[], readonly Segment[]] => {
  const [left, right] = [wordsOf(one), wordsOf(other)]
  return [segments(one, ranges(left, right)), segments(other, ranges(right, left))]
}
