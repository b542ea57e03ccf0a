import { occurrences } from './detectors/detector.ts'
import { folded } from './detectors/introduced.ts'
import { DIGIT_WORDS } from './digit-words.ts'
import { type Reading, type Shift, writtenPosition } from './shifts.ts'

/** The digit of a word in each language that has the word. */
const WORDS = new Map<string, Map<string, string>>()
for (const [language, digits] of Object.entries(DIGIT_WORDS)) {
  for (const [digit, words] of digits.split(' ').entries()) {
    for (const word of words.split('|')) {
      const known = WORDS.get(folded(word)) ?? new Map<string, string>()
      known.set(language, String(digit))
      WORDS.set(folded(word), known)
    }
  }
}
/** The first two letters of a word in lower case; the same value for all words beyond ASCII. */
const beginOf = (text: string, start: number): number => {
  const [first, second] = [text.charCodeAt(start), text.charCodeAt(start + 1)]
  return first < 0x80 && second < 0x80 ? ((first | 0x20) << 8) | second | 0x20 : FOREIGN
}
const FOREIGN = -1

/** Words that repeat the digit behind them, with the number of repetitions. */
for (const [word, times] of [
  ['double', '×2'],
  ['triple', '×3'],
  ['treble', '×3'],
] as const)
  WORDS.set(word, new Map([['en', times]]))

/** Fewer words in a row may be a count. A phone number has seven digits and more. */
const LEAST_WORDS = 7
/** Longest word for a digit. */
const LONGEST_WORD = 12
/** Seven words with separators are longer, so one of every 16 positions lies inside of a row. */
const STRIDE = 16
/** Longer rows are read in parts. */
const MAX_WORDS = 64

const BEGINS: ReadonlySet<number> = new Set([FOREIGN, ...Array.from(WORDS.keys(), word => beginOf(word, 0))])

const LETTER = /[\p{L}\p{M}]/u
/** The apostrophe is a letter of Ukrainian words. */
const APOSTROPHE = 0x27
const isLetter = (text: string, place: number): boolean => {
  const unit = text.charCodeAt(place) | 0x20
  if (unit === APOSTROPHE) return true
  return unit >= 0x61 && unit <= 0x7a ? true : unit >= 0x80 && LETTER.test(text[place] ?? '')
}
const NOT_ASCII = /[^\0-\x7f]/
/** Separators of a row's words. */
const BETWEEN = /[ \t,.\-–/]{1,3}/y

interface Word {
  readonly start: number
  readonly end: number
  readonly digits: ReadonlyMap<string, string>
}

const wordAt = (text: string, place: number): Word | null => {
  let start = place
  while (start > 0 && place - start < LONGEST_WORD && isLetter(text, start - 1)) start -= 1
  if (!BEGINS.has(beginOf(text, start))) return null
  let end = place
  while (end - start <= LONGEST_WORD && isLetter(text, end)) end += 1
  if (end === start || end - start > LONGEST_WORD) return null
  const written = text.slice(start, end).toLowerCase()
  const digits = WORDS.get(written) ?? (NOT_ASCII.test(written) ? WORDS.get(folded(written)) : undefined)
  return digits === undefined ? null : { start, end, digits }
}

/** A spelled digit and its position. */
interface Spelled {
  readonly start: number
  readonly end: number
  readonly digit: string
}

/** The row of digit words of one language around a word, with only separators in between. */
const rowAround = (text: string, word: Word, least: number): readonly Spelled[] => {
  const rows = Array.from(word.digits.keys(), language => ({ language, words: rowIn(text, word, language, least) }))
  const longest = rows.toSorted((a, b) => b.words.length - a.words.length)[0]
  if (longest === undefined || longest.words.length < LEAST_WORDS) return []
  const { language, words } = longest
  const digits = words.map(({ digits: known }) => known.get(language) ?? '')
  return words.map(({ start, end }, place) => ({ start, end, digit: repeated(digits[place] ?? '', digits[place + 1]) }))
}

const repeated = (digit: string, next = ''): string =>
  digit.startsWith('×') ? (/\d/.test(next) ? next : '').repeat(Number(digit.slice(1)) - 1) : digit

const rowIn = (text: string, word: Word, language: string, least: number): readonly Word[] => {
  const words = [word]
  for (let first = word; words.length < MAX_WORDS; ) {
    let place = first.start
    while (place > least && first.start - place < 3 && isSeparator(text, place - 1)) place -= 1
    const before = place === first.start || place <= least ? null : wordAt(text, place - 1)
    if (before === null || before.start < least || !before.digits.has(language)) break
    words.unshift(before)
    first = before
  }
  for (let last = word; words.length < MAX_WORDS; ) {
    BETWEEN.lastIndex = last.end
    const gap = BETWEEN.exec(text)?.[0].length ?? 0
    const behind = gap === 0 ? null : wordAt(text, last.end + gap)
    if (behind === null || !behind.digits.has(language)) break
    words.push(behind)
    last = behind
  }
  return words
}

const isSeparator = (text: string, place: number): boolean => ' \t,.-–/'.includes(text[place] ?? 'x')

/** Chinese and Korean digits, seven and more in a row without spaces. */
const UNSPACED_DIGITS = ['零〇○공영', '一幺壹일', '二两兩이', '三삼', '四사', '五오', '六육륙', '七칠', '八팔', '九구']
const UNSPACED = new RegExp(`[${UNSPACED_DIGITS.join('')}](?:[ -]?[${UNSPACED_DIGITS.join('')}]){6,63}`, 'g')
const MAY_BE_UNSPACED = /[\u3007\u4e00-\u9fff\uac00-\ud7af]/

const digitOf = (sign: string): string | null => {
  const digit = UNSPACED_DIGITS.findIndex(signs => signs.includes(sign))
  return digit === -1 ? null : String(digit)
}

/**
 * Replaces spelled digits in rows of seven and more of one language by digits. Looks at one position in sixteen, and
 * around it only when it is in a digit word, so it is linear in the text's length.
 */
export const withSpelledDigits = (reading: Reading): Reading => {
  const { text } = reading
  const spelled = MAY_BE_UNSPACED.test(text) ? [...signsOf(text), ...wordsOf(text)] : [...wordsOf(text)]
  if (spelled.length === 0) return reading
  let plain = ''
  let copied = 0
  const shifts: Shift[] = [{ from: 0, written: 0 }]
  for (const { start, end, digit } of spelled.toSorted((a, b) => a.start - b.start)) {
    // Separators between two digits of a row are left out.
    if (!isBetween(text, copied, start) || copied === 0) plain += text.slice(copied, start)
    shifts.push({ from: plain.length, written: start })
    plain += digit
    copied = end
    shifts.push({ from: plain.length, written: copied })
  }
  return { text: plain + text.slice(copied), at: position => reading.at(writtenPosition(shifts, position)) }
}

const isBetween = (text: string, start: number, end: number): boolean =>
  end - start <= 3 && Array.from(text.slice(start, end)).every((_, place) => isSeparator(text, start + place))

function* wordsOf(text: string): Iterable<Spelled> {
  let least = 0
  for (let place = 0; place < text.length; place += STRIDE) {
    if (place < least) continue
    let at = place
    while (at < text.length && at < place + 3 && !isLetter(text, at)) at += 1
    const word = wordAt(text, at)
    if (word === null || word.start < least) continue
    const row = rowAround(text, word, least)
    least = row.at(-1)?.end ?? least
    yield* row
  }
}

function* signsOf(text: string): Iterable<Spelled> {
  for (const { 0: row, index } of occurrences(UNSPACED, text)) {
    for (let place = 0; place < row.length; place += 1) {
      const digit = digitOf(row.charAt(place))
      if (digit !== null) yield { start: index + place, end: index + place + 1, digit }
    }
  }
}
