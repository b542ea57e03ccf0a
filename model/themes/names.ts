import { wordFormsOf } from '../../infra/word-index/terms.ts'
import { saysOf } from '../claims/titles.ts'
import { passagesOf } from './passages.ts'

/** How many words name a theme. */
const WORDS = 3
const LEAST_LETTERS = 3
const MAX_NAME = 200
const WORD = /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu
/** A sentence that is read for what it tells; a longer one is cut. */
export const MAX_QUOTE = 240
const LEAST_WORDS = 3

/** How many of the signals that were looked at have a word. */
export interface Rarity {
  readonly texts: number
  readonly having: ReadonlyMap<string, number>
}

/** What counts as the same word, whatever its ending. */
const formOf = (word: string): string => wordFormsOf(word)[0] ?? word.toLowerCase()
const formsOf = (text: string): ReadonlySet<string> => new Set(wordFormsOf(text))

export const rarityOf = (texts: Iterable<string>): Rarity => {
  const having = new Map<string, number>()
  let count = 0
  for (const text of texts) {
    count += 1
    for (const form of formsOf(text)) having.set(form, (having.get(form) ?? 0) + 1)
  }
  return { texts: count, having }
}

/** What each word says of a theme: how many of its members have it, and how few others do. */
export type Telling = ReadonlyMap<string, number>

export const tellingWords = (members: readonly string[], { texts, having }: Rarity): Telling => {
  const counts = rarityOf(members).having
  const telling = new Map<string, number>()
  for (const [form, count] of counts) {
    if (count < 2) continue
    const others = Math.max(0, (having.get(form) ?? count) - count)
    const share = count / members.length
    const shareOfOthers = (others + 1) / (Math.max(0, texts - members.length) + 1)
    const tells = count * Math.log(share / shareOfOthers) * saysOf(form)
    if (tells > 0) telling.set(form, tells)
  }
  return telling
}

/**
 * The words that set a theme apart, as its members mostly write them; null where they have none in common. A common
 * word of a language names nothing: it only says which language most members are in.
 */
export const nameOf = (
  members: readonly string[],
  telling: Telling,
  isCommon: (word: string) => boolean,
): string | null => {
  const written = new Map<string, Map<string, number>>()
  for (const text of members)
    for (const word of text.match(WORD) ?? []) {
      const form = formOf(word)
      if (word.length < LEAST_LETTERS || !telling.has(form) || isCommon(word.toLowerCase())) continue
      const ways = written.get(form) ?? new Map<string, number>()
      written.set(form, ways.set(word, (ways.get(word) ?? 0) + 1))
    }
  const best = [...written.keys()].toSorted((one, other) => (telling.get(other) ?? 0) - (telling.get(one) ?? 0))
  const words = best.slice(0, WORDS).map(form => mostWritten(written.get(form) ?? new Map()))
  return words.length === 0 ? null : words.join(', ').slice(0, MAX_NAME)
}

const mostWritten = (ways: ReadonlyMap<string, number>): string =>
  [...ways].toSorted(([one, times], [other, others]) => others - times || one.localeCompare(other))[0]?.[0] ?? ''

export interface Quote {
  /** In characters of the whole text. */
  readonly start: number
  readonly length: number
  /** How much it tells of the theme. */
  readonly tells: number
}

/** The sentence of a member's own words that tells most of its theme, where it stands in the whole text. */
export const quoteOf = (text: string, own: string, telling: Telling): Quote => {
  const isOwn = new Set(passagesOf(own).map(({ key }) => key))
  let best: Quote | null = null
  let from = 0
  for (const { text: passage, key } of passagesOf(text)) {
    const start = text.indexOf(passage, from)
    if (start === -1) continue
    from = start + passage.length
    if (!isOwn.has(key)) continue
    const forms = wordFormsOf(passage)
    if (best !== null && forms.length < LEAST_WORDS) continue
    let tells = 0
    for (const form of new Set(forms)) tells += telling.get(form) ?? 0
    const quote = { start, length: Math.min(passage.length, MAX_QUOTE), tells: tells / Math.sqrt(forms.length || 1) }
    if (best === null || quote.tells > best.tells) best = quote
  }
  return best ?? { start: 0, length: Math.min(text.length, MAX_QUOTE), tells: 0 }
}
