import { folded } from '../../../../schemas/domain/folding.ts'
import { type Segment, STEM, segments, stemOf, wordsOf } from '../../parts/evidence/matching.ts'

const startsLike = (found: string, wanted: string): boolean =>
  found.startsWith(wanted) || (wanted.length >= STEM && stemOf(found) === stemOf(wanted))

/**
 * A text, cut where it has a word that somebody looks for, or one that begins like it: without case and accents, as the
 * search finds it.
 */
export const findWords = (text: string, query: string): readonly Segment[] => {
  const sought = wordsOf(query).map(({ text }) => folded(text))
  if (sought.length === 0) return text === '' ? [] : [{ text, mark: null }]
  const found = wordsOf(text).filter(word => {
    const read = folded(word.text)
    return sought.some(each => startsLike(read, each))
  })
  return segments(
    text,
    found.map(({ start, end }) => ({ start, end, mark: 'shared' })),
  )
}

/** So many characters stand before the first word that was found, for who reads one line. */
const LEAD = 24

/** The same, from a little before the first mark on where that is further in. */
export const fromFirstMark = (cut: readonly Segment[]): readonly Segment[] => {
  const [first, ...rest] = cut
  if (first === undefined || first.mark !== null || rest.length === 0 || first.text.length <= 2 * LEAD) return cut
  const lead = first.text.slice(-LEAD)
  // At a word, where there is one.
  return [{ text: `…${lead.slice(lead.indexOf(' ') + 1)}`, mark: null }, ...rest]
}
