import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/max'
import type { PersonalDataKind, Span } from './detectors/detector.ts'
import { type LabelledText, labelledTexts } from './labelled.testing.ts'

/**
 * Mails that were generated without the rules: sentences of the labelled texts, filled with published values and
 * wrapped as mail programs wrap. Phones are examples of the numbering plans, accounts those of the IBAN registry, cards
 * the test numbers of payment services. Other values stay as in the sentence.
 */
export interface WrappedText {
  readonly text: string
  readonly kind: PersonalDataKind
  readonly span: Span
  /** Line break inside of the value: `none` for a value on one line. */
  readonly wrap: Wrap | 'none'
}

/** Text between two lines of a mail. */
export const WRAPS = {
  plain: '\n',
  quoted: '\n> ',
  'quoted twice': '\n> > ',
  'quoted closely': '\n>> ',
  barred: '\n| ',
  indented: '\n  ',
  flowed: ' \n',
  'carriage return': '\r\n',
  'carriage return, quoted': '\r\n> ',
  'soft break': '=\n',
} as const
export type Wrap = keyof typeof WRAPS

export const examples: Readonly<Record<CountryCode, string>> = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('libphonenumber-js/examples.mobile.json'), 'utf8'),
)

/** Countries whose numbers people write without a country code, by a file's language. */
const COUNTRIES: Readonly<Record<string, readonly CountryCode[]>> = {
  english: ['US', 'GB', 'AU', 'IN', 'CA', 'NZ', 'IE'],
  german: ['DE', 'AT', 'CH'],
  french: ['FR', 'BE', 'CH'],
  spanish: ['ES', 'MX', 'CO', 'AR', 'CL', 'PE'],
  italian: ['IT'],
  dutch: ['NL', 'BE'],
  polish: ['PL'],
  portuguese: ['PT', 'BR'],
}

export const CARDS =
  '4242424242424242 4000056655665556 4111111111111111 5555555555554444 5200828282828210 2223003122003222 5105105105105100 378282246310005 371449635398431 6011111111111117 6011000990139424 3056930009020004 3566002020360505 6200000000000005'.split(
    ' ',
  )
export const ACCOUNTS =
  'AT611904300234573201 BE68539007547034 CZ6508000000192000145399 DK5000400440116243 EE382200221020145685 FI2112345600000785 FR1420041010050500013M02606 DE89370400440532013000 GR1601101250000000012300695 HU42117730161111101800000000 IE29AIBK93115212345678 IT60X0542811101000000123456 LU280019400644750000 MT84MALT011000012345MTLCAST001S NL91ABNA0417164300 NO9386011117947 PL61109010140000071219812874 PT50000201231234567890154 RO49AAAA1B31007593840000 SK3112000000198742637541 SI56263300012039086 ES9121000418450200051332 SE4550000000058398257466 CH9300762011623852957 TR330006100519786457841326 GB29NWBK60161331926819'.split(
    ' ',
  )

/** Generator of Numerical Recipes, so that each run has the same texts. */
const randomFrom = (seed: number): ((size: number) => number) => {
  let state = seed
  return size => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * size)
  }
}
type Random = ReturnType<typeof randomFrom>
const one = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('Nothing to choose from.')
  return item
}

export const inFours = (compact: string): string => compact.replace(/(.{4})(?=.)/g, '$1 ')

const phoneOf = (language: string, random: Random): string => {
  const own = COUNTRIES[language] ?? []
  const isNational = own.length > 0 && random(2) === 0
  const everywhere = Object.keys(examples).filter((country): country is CountryCode => country in examples)
  const number = getExampleNumber(one(isNational ? own : everywhere, random), examples)
  if (number === undefined) throw new Error('A country has no example.')
  return isNational ? number.formatNational() : number.formatInternational()
}

const exampleOf = (kind: PersonalDataKind, written: string, language: string, random: Random): string => {
  if (kind === 'PHONE') return phoneOf(language, random)
  if (kind === 'IBAN') return inFours(one(ACCOUNTS, random))
  if (kind !== 'CARD') return written
  const card = one(CARDS, random)
  return card.length === 15 ? card.replace(/^(.{4})(.{6})/, '$1 $2 ') : inFours(card)
}

const wordsOf = (texts: readonly LabelledText[]): readonly string[] =>
  texts.flatMap(({ text }) => text.match(/(?<![\p{L}\d@.])\p{L}{2,12}(?![\p{L}\d@.])/gu) ?? [])

/** The text wrapped at a width, the position of the value, and the number of lines that hold a part of the value. */
const wrapAt = (words: string, value: Span, width: number, wrap: Wrap): { text: string; span: Span; parts: number } => {
  const hard = wrap === 'soft break'
  let text = ''
  let column = 0
  let [start, end, parts] = [0, 0, 1]
  for (const [place, character] of Array.from(
    { length: words.length },
    (_, index) => [index, words[index] ?? ''] as const,
  )) {
    const next = words.indexOf(' ', place + 1)
    const wordEnd = next === -1 ? words.length : next
    const isBreak = hard ? column >= width - 1 : character === ' ' && column + (wordEnd - place) > width
    const inside = place > value.start && place < value.end
    if (place === value.end) end = text.length
    if (isBreak) {
      text += WRAPS[wrap]
      column = WRAPS[wrap].replace(/[^>| ]/g, '').length
      if (inside) parts += 1
      if (place === value.start) start = text.length
      if (!hard) continue
    }
    if (place === value.start) start = text.length
    text += character
    column = character === '\n' ? 0 : column + 1
  }
  if (value.end === words.length) end = text.length
  return { text, span: { start, end }, parts }
}

/** `count` texts. About half have their value on two lines. */
export const wrappedTexts = (seed: number, count: number): readonly WrappedText[] => {
  const random = randomFrom(seed)
  const texts = labelledTexts('tuned').filter(({ name, text }) => !name.startsWith('negatives') && !text.includes('\n'))
  const made: WrappedText[] = []
  while (made.length < count) {
    const { name, text, personal } = one(texts, random)
    const language = name.replace(/\.txt:.*/, '')
    if (personal.length === 0) continue
    const label = one(personal, random)
    const file = texts.filter(other => other.name.startsWith(language))
    const words = wordsOf(file)
    const filler = Array.from({ length: 3 + random(14) }, () => one(words, random)).join(' ')
    const behind = Array.from({ length: random(12) }, () => one(words, random)).join(' ')
    const value = exampleOf(label.kind, text.slice(label.start, label.end), language, random)
    const before = `${filler}. ${text.slice(0, label.start)}`
    const after = `${text.slice(label.end)} ${behind}`.trimEnd()
    const width = 60 + random(19)
    const wrap = one(
      Object.keys(WRAPS).filter((name): name is Wrap => name in WRAPS),
      random,
    )
    const span = { start: before.length, end: before.length + value.length }
    const wrapped = wrapAt(before + value + after, span, width, wrap)
    const isWanted = wrapped.parts === 2 ? true : wrapped.parts === 1 && random(4) === 0
    if (isWanted)
      made.push({ text: wrapped.text, kind: label.kind, span: wrapped.span, wrap: wrapped.parts === 2 ? wrap : 'none' })
  }
  return made
}
