import { folded } from '../../schemas/domain/folding.ts'
import { isAscii } from '../word-index/terms.ts'

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** Scripts without spaces between words, with their own signs (`ー`). */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const OF_UNSPACED = SCRIPTS.map(script => `\\p{scx=${script}}`).join('')
const UNSPACED = new RegExp(`[${OF_UNSPACED}]`, 'u')
const RUN = new RegExp(`[${OF_UNSPACED}]+|[^${OF_UNSPACED}]+`, 'gu')
export const isUnspaced = (word: string): boolean => UNSPACED.test(word)

/**
 * The kind of a word: a plain word; two words joined by a hyphen (`email` for `e-mail`); a word with its sign
 * (`notepad++`, `.net`); or the last character of an unspaced run, whose words are pairs of characters. The last three
 * are alternatives, and follow the words that they are made of.
 */
export type WordKind = 'word' | 'joined' | 'signed' | 'last'

const LETTERS_ALONE = /^[\p{L}\p{M}]+$/u
const FEW_DIGITS = /^\d{1,4}$/
const JOINS = new Set(['-', '\u2010', '&'])
const INITIALS = new Set(['-', '\u2010', '&', '/'])
const MAX_INITIALS = 6
/** Limit of a joined word's length. */
const MAX_JOINED = 60
/** Length up to which a sign makes another word: `C#` and `G++`. `Notepad++` is found without its sign too. */
const LONGEST_OF_SIGN = 2
const MAX_NAME = 12
const WORD_OR_DOT = /[\p{L}\p{N}.]/u
const WORD_OR_SIGN = /[\p{L}\p{N}+#]/u

/** `++` or `#` directly after a word, unless more of a word follows. */
const signBehind = (text: string, end: number, length: number): string => {
  const sign = text.startsWith('++', end) ? '++' : text[end] === '#' && length <= LONGEST_OF_SIGN ? '#' : ''
  return sign === '' || WORD_OR_SIGN.test(text[end + sign.length] ?? '') ? '' : sign
}

const IN_ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Calls `take` with the start and end of each word. Most texts are ASCII, where no pattern is needed. */
const eachWord = (text: string, take: (index: number, end: number) => void): void => {
  if (!isAscii(text)) {
    for (const { 0: word, index } of text.matchAll(WORD)) take(index, index + word.length)
    return
  }
  for (let at = 0; at < text.length; at += 1) {
    if (IN_ASCII_WORD[text.charCodeAt(at)] === 0) continue
    const index = at
    while (IN_ASCII_WORD[text.charCodeAt(at)] === 1) at += 1
    take(index, at)
  }
}

/** Calls `take` with the words of a text in order, without case and accents. Linear in the length. */
export const scanWords = (text: string, take: (word: string, kind: WordKind) => void): void => {
  const read = isAscii(text) ? text.toLowerCase() : folded(text)
  const mayBeUnspaced = !isAscii(read)
  let before = ''
  let beforeEnd = -1
  let initials = ''
  const takeInitials = (): void => {
    if (initials !== '') take(initials, 'word')
    initials = ''
  }
  eachWord(read, (index, end) => {
    const word = read.slice(index, end)
    const between = beforeEnd === index - 1 ? (read[beforeEnd] ?? '') : ''
    const runs = mayBeUnspaced && isUnspaced(word)
    const isLetter = word.length === 1 && !runs && LETTERS_ALONE.test(word)
    if (isLetter && initials !== '' && initials.length < MAX_INITIALS && INITIALS.has(between)) {
      initials += word
    } else {
      takeInitials()
      if (runs) takeRuns(word, take)
      else if (isLetter && signBehind(read, end, 1) === '') initials = word
      else takeWord(read, index, word, take)
    }
    if (JOINS.has(between) && initials.length < 2 && areJoined(before, word)) {
      takeInitials()
      take(before + word, 'joined')
    }
    before = initials === '' ? word : initials
    beforeEnd = end
  })
  takeInitials()
}

const areJoined = (one: string, other: string): boolean =>
  one.length + other.length <= MAX_JOINED &&
  LETTERS_ALONE.test(one) &&
  (LETTERS_ALONE.test(other) || FEW_DIGITS.test(other))

const takeWord = (text: string, index: number, word: string, take: (word: string, kind: WordKind) => void): void => {
  const sign = signBehind(text, index + word.length, word.length)
  const isNamed = text[index - 1] === '.' && word.length > 1 && word.length <= MAX_NAME
  if ((sign === '' && !isNamed) || !LETTERS_ALONE.test(word)) {
    take(word, 'word')
    return
  }
  const isWithSign = sign !== '' && word.length <= LONGEST_OF_SIGN
  take(isWithSign ? word + sign : word, 'word')
  if (isWithSign) return
  if (sign !== '') take(word + sign, 'signed')
  if (isNamed && !WORD_OR_DOT.test(text[index - 2] ?? '')) take(`.${word}`, 'signed')
}

/** In a script without spaces each pair of adjacent characters is a word; runs of other letters are words too. */
const takeRuns = (word: string, take: (word: string, kind: WordKind) => void): void => {
  for (const run of word.match(RUN) ?? []) {
    const characters = isUnspaced(run) ? Array.from(run) : [run]
    if (characters.length === 1) take(run, 'word')
    else {
      for (let place = 1; place < characters.length; place += 1)
        take(`${characters[place - 1]}${characters[place]}`, 'word')
      take(characters.at(-1) ?? '', 'last')
    }
  }
}

/** The words of a text in order, without case, accents and alternatives. */
export const wordsOf = (text: string): readonly string[] => {
  const words: string[] = []
  scanWords(text, (word, kind) => {
    if (kind === 'word') words.push(word)
  })
  return words
}
