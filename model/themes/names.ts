import { wordFormsOf } from '../../infra/word-index/terms.ts'
import { saysOf } from '../claims/titles.ts'
import { passagesOf } from './passages.ts'

/** Words in a theme's name. */
const WORDS = 3
const LEAST_LETTERS = 3
const MAX_NAME = 200
const WORD = /[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu
/** Longest quote; a longer sentence is cut. */
export const MAX_QUOTE = 240
const LEAST_WORDS = 3

/** Number of signals with each word. */
export interface Rarity {
  readonly texts: number
  readonly having: ReadonlyMap<string, number>
}

/** The form of a word without its ending. */
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

/**
 * Weight of each word for a theme: the number of members with the word, against the number of other signals with it.
 */
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
 * The words that distinguish a theme, in the spelling of most members; null without common ones. A language's common
 * words are left out, because they only tell the members' language.
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
      if (word.length < LEAST_LETTERS || !telling.has(form) || isCommonIn(word, isCommon)) continue
      const ways = written.get(form) ?? new Map<string, number>()
      written.set(form, ways.set(word, (ways.get(word) ?? 0) + 1))
    }
  const best = [...written.keys()].toSorted((one, other) => (telling.get(other) ?? 0) - (telling.get(one) ?? 0))
  const words = best.slice(0, WORDS).map(form => mostWritten(written.get(form) ?? new Map()))
  return words.length === 0 ? null : words.join(', ').slice(0, MAX_NAME)
}

/** The parts of a word with an apostrophe: `I'd` and `d'ordre` are more than one word. */
const APOSTROPHES = /['’]/u

/** True for a common word, and for a contraction without a part that tells. */
const isCommonIn = (word: string, isCommon: (word: string) => boolean): boolean => {
  const lower = word.toLowerCase()
  return [lower, lower.replaceAll('’', "'")].some(isCommon) || isContraction(lower, isCommon)
}

const isContraction = (word: string, isCommon: (word: string) => boolean): boolean =>
  APOSTROPHES.test(word) && word.split(APOSTROPHES).every(part => part.length < LEAST_LETTERS || isCommon(part))

const mostWritten = (ways: ReadonlyMap<string, number>): string =>
  [...ways].toSorted(([one, times], [other, others]) => others - times || one.localeCompare(other))[0]?.[0] ?? ''

export interface Quote {
  /** Characters of the whole text. */
  readonly start: number
  readonly length: number
  /** Weight for the theme. */
  readonly tells: number
}

interface Span {
  readonly start: number
  readonly end: number
}

const ENDS_AS_LABEL = /[:：]$/u
const IN_ONE_LINE = /^[^\r\n]*$/u

/** Own passages of a text. A label that only this text has belongs to the sentence that it begins. */
const sentencesOf = (text: string, own: ReadonlySet<string>): readonly Span[] => {
  const spans: Span[] = []
  let from = 0
  for (const { text: passage, key } of passagesOf(text)) {
    const start = text.indexOf(passage, from)
    if (start === -1) continue
    from = start + passage.length
    if (!own.has(key)) continue
    const last = spans.at(-1)
    const before = last === undefined ? '' : text.slice(last.start, last.end)
    if (last !== undefined && ENDS_AS_LABEL.test(before) && IN_ONE_LINE.test(text.slice(last.end, start)))
      spans[spans.length - 1] = { start: last.start, end: from }
    else spans.push({ start, end: from })
  }
  return spans
}

const ENDS_SENTENCE = /[.!?。！？]$/u

/** Where the first line ends, if it has something below and no full stop, as a mail's subject has none; else 0. */
const headlineEndOf = (text: string): number => {
  const end = text.indexOf('\n')
  const line = text.slice(0, Math.max(0, end)).trimEnd()
  return line !== '' && !ENDS_SENTENCE.test(line) && text.slice(end).trim() !== '' ? end : 0
}

/**
 * The sentence of a member's own text that tells most about its theme, with its position in the whole text. A subject
 * is short, so its words would weigh most: it is the quote only where no sentence below it tells anything.
 */
export const quoteOf = (text: string, own: string, telling: Telling): Quote => {
  const isOwn = new Set(passagesOf(own).map(({ key }) => key))
  const headlineEnd = headlineEndOf(text)
  let best: Quote | null = null
  for (const { start, end } of sentencesOf(text, isOwn)) {
    const passage = text.slice(start, end)
    const forms = wordFormsOf(passage)
    if (best !== null && forms.length < LEAST_WORDS) continue
    let tells = 0
    for (const form of new Set(forms)) tells += telling.get(form) ?? 0
    const quote = { start, length: Math.min(passage.length, MAX_QUOTE), tells: tells / Math.sqrt(forms.length || 1) }
    const isBelowHeadline = best !== null && best.start < headlineEnd && start >= headlineEnd && tells > 0
    if (best === null || isBelowHeadline || quote.tells > best.tells) best = quote
  }
  return best ?? { start: 0, length: Math.min(text.length, MAX_QUOTE), tells: 0 }
}
