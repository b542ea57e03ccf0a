import { fold, withoutFrame } from './frame.ts'
import { FILLERS, NEGATIONS, OPPOSITES } from './small-words.ts'

/** A word of a text, as it is compared. */
export interface Word {
  readonly text: string
  /**
   * A number, version, host, path, identifier, quotation, negation or opposite: texts that differ in it say different
   * things.
   */
  readonly isFact: boolean
  /** A name, by its capital: it may have a slip of the finger in its middle, and nothing else. */
  readonly isName: boolean
  readonly isTitle: boolean
}

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
/**
 * Single characters of scripts without spaces; words with their apostrophes, signs of languages and comparisons;
 * pictures and currencies.
 */
const WORD = new RegExp(
  `[${UNSPACED}]|(?:(?<![\\p{L}\\p{N}])[\\-+](?=\\p{N}))?[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+(?:['’][\\p{L}\\p{M}]+)*(?:\\+\\+|#)?|[<>=!]=|[<>]|[\\p{Sc}\\p{Extended_Pictographic}]`,
  'gv',
)
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]$`, 'v')
const CHUNK = /\S+/gu
const HAS_NUMBER = /\p{N}/u
/** What joins the parts of a host, path, address, identifier or setting. */
const JOINED = /[\p{L}\p{N})\]][._/\\:@=~$]+[\p{L}\p{N}([]|^--?\p{L}|[()[\]{}]{2}$/u
const MIXED_CASE = /\p{Ll}\p{Lu}|^\P{L}*\p{Lu}{2,}\P{L}*$/u
const CAPITAL = /^\P{L}*\p{Lu}/u
const ENDS_SENTENCE = /[.!?:;]["'”»)\]]*$/u
/** Three backticks fence code off; they open no quotation. */
const QUOTE = /["“”«»„]|(?<!`)`(?!`)/gu
const NOT_WORD = /[^\p{L}\p{N}\p{M}]/u

/** What comes behind must be the same to the letter. */
const MAX_CHARACTERS = 20_000
const MAX_TITLE_WORDS = 40
/** A text without lines that is no longer than this is all title. */
const MAX_SHORT_WORDS = 40

/** The words of a signal without what carries it, in their order. Linear in the text. */
export const readWording = (text: string): readonly Word[] => {
  const words: Word[] = []
  let titleEnd = 0
  for (const line of withoutFrame(text.slice(0, MAX_CHARACTERS))) {
    readLine(line, words)
    if (titleEnd === 0) titleEnd = words.length
  }
  const rest = text.slice(MAX_CHARACTERS)
  if (rest !== '') words.push({ text: rest, isFact: true, isName: false, isTitle: false })
  const end = words.length <= MAX_SHORT_WORDS ? words.length : Math.min(titleEnd, MAX_TITLE_WORDS)
  return words.map((word, index) => (index < end ? { ...word, isTitle: true } : word))
}

const readLine = (line: string, words: Word[]): void => {
  let opens = true
  let quoted = false
  for (const [chunk] of line.matchAll(CHUNK)) {
    const quotes = chunk.match(QUOTE)?.length ?? 0
    const isFact = quoted || quotes > 0 || HAS_NUMBER.test(chunk) || JOINED.test(chunk) || MIXED_CASE.test(chunk)
    if (quotes % 2 === 1) quoted = !quoted
    const isName = !opens && CAPITAL.test(chunk)
    for (const [word] of fold(chunk).matchAll(WORD)) words.push(asWord(word, isFact, isName))
    opens = ENDS_SENTENCE.test(chunk)
  }
}

const asWord = (found: string, isFact: boolean, isCapital: boolean): Word => {
  const text = found.replaceAll('’', "'")
  const isFiller = FILLERS.has(text)
  const decides = NEGATIONS.has(text) || OPPOSITES.has(text) || text.endsWith("n't")
  const isSign = IS_UNSPACED.test(text) || (text.length === 1 && NOT_WORD.test(text))
  return { text, isFact: isFact || isSign || (decides && !isFiller), isName: isCapital && !isFiller, isTitle: false }
}
