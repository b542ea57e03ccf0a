import type { CountryCode } from 'libphonenumber-js/max'
import { EVERYWHERE, INTRODUCTIONS, type LanguageWords } from './introductions.ts'

type Introduces = Exclude<keyof LanguageWords, 'language' | 'countries'>

/** Greatest distance between a word and its number, in characters. */
const REACH: Readonly<Record<Introduces, number>> = {
  phone: 20,
  call: 24,
  card: 24,
  account: 24,
  identity: 24,
  passport: 6,
  thing: 16,
}

interface Word {
  readonly kind: Introduces
  readonly hasEndings: boolean
  /** Countries of all languages with the word. */
  readonly countries: CountryCode[]
}

/** A node in the tree of all words, by letter. */
interface Node {
  readonly next: Map<string, Node>
  readonly words: Word[]
}

const node = (): Node => ({ next: new Map(), words: [] })

const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ς: 'σ' }

const NOT_ASCII = /[^\0-\x7f]/
const SEPARATED = /[\t\n\r_'’-]|\s\s/

/** Letters without case and marks. Separators of a name become a space. */
export const folded = (text: string): string => {
  const lower = SEPARATED.test(text) ? text.toLowerCase().replace(/[\s_'’-]+/g, ' ') : text.toLowerCase()
  if (!NOT_ASCII.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u200b-\u200d]/g, '')
    .replace(/[ıłøđðς]/g, letter => PLAIN[letter] ?? letter)
}

const KINDS = Object.keys(REACH).filter((kind): kind is Introduces => kind in REACH)

const ROOT = node()
const plant = (written: string, kind: Introduces, countries: readonly CountryCode[]): void => {
  for (const word of written.split('|').filter(one => one !== '')) {
    const hasEndings = word.endsWith('*')
    let at = ROOT
    for (const letter of folded(word.replace(/\*$/, ''))) {
      const next = at.next.get(letter) ?? node()
      at.next.set(letter, next)
      at = next
    }
    const known = at.words.find(other => other.kind === kind && other.hasEndings === hasEndings)
    if (known === undefined) at.words.push({ kind, hasEndings, countries: [...countries] })
    else known.countries.push(...countries.filter(country => !known.countries.includes(country)))
  }
}
for (const words of INTRODUCTIONS) for (const kind of KINDS) plant(words[kind], kind, words.countries)
plant(EVERYWHERE, 'phone', [])

const LETTER = /[\p{L}\p{M}]/u
const isLetter = (text: string, place: number): boolean => {
  const unit = text.charCodeAt(place)
  return unit < 0x80 ? unit >= 0x61 && unit <= 0x7a : LETTER.test(text[place] ?? '')
}
/** Scripts without spaces, or with endings after any word. */
const FIRST_UNSPACED = 0x0e00
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

const isUnspaced = (text: string, place: number): boolean =>
  text.charCodeAt(place) >= FIRST_UNSPACED && UNSPACED.test(text[place] ?? '')

/** The nearest word of each kind before a number. */
export type Introductions = ReadonlyMap<Introduces, Introduction>

interface Introduction {
  /** Countries where the word's languages are spoken. */
  readonly countries: readonly CountryCode[]
  readonly end: number
}

const NONE: Introductions = new Map()

/** The table's words in an introduction. Linear in its length, which is bounded. */
export const introducedAs = (introduction: string): Introductions => {
  if (introduction === '') return NONE
  const known = recent.get(introduction)
  if (known !== undefined) return known
  if (recent.size >= MAX_RECENT) recent.clear()
  const words = wordsIn(introduction)
  recent.set(introduction, words)
  return words
}

/** Several detectors ask for the same introduction in a row. */
const recent = new Map<string, Introductions>()
const MAX_RECENT = 64

const wordsIn = (introduction: string): Introductions => {
  const text = folded(introduction)
  let found: Map<Introduces, Introduction> | undefined
  for (let start = 0; start < text.length; start += 1) {
    let at = ROOT.next.get(text.charAt(start))
    if (at === undefined || (start > 0 && isLetter(text, start - 1) && !isUnspaced(text, start))) continue
    for (let place = start + 1; at !== undefined; place += 1) {
      for (const { kind, hasEndings, countries } of at.words) {
        const end = endOf(text, place, hasEndings)
        if (end === null || text.length - end > REACH[kind]) continue
        found ??= new Map()
        const others = found.get(kind)?.countries ?? []
        found.set(kind, { countries: others.length === 0 ? countries : [...new Set([...others, ...countries])], end })
      }
      at = at.next.get(text.charAt(place))
    }
  }
  return found ?? NONE
}

/** End of a word whose letters all match at a position; null when the text goes on as another word. */
const endOf = (text: string, place: number, hasEndings: boolean): number | null => {
  if (!isLetter(text, place) || isUnspaced(text, place - 1)) return place
  if (!hasEndings) return null
  let end = place
  while (isLetter(text, end)) end += 1
  return end
}
