import { ADDRESSED, CLOSINGS, FILLERS, GREETINGS, MAIL_LABELS, NEGATIONS, OPPOSITES, SIGN_OFFS } from './small-words.ts'

const LATIN_MARKS = /[\u0300-\u036f]/g

/** Lower case in compatibility form, without accents of Latin letters. */
const fold = (text: string): string => text.normalize('NFKD').replace(LATIN_MARKS, '').toLowerCase()

const QUOTE_MARKS = /^[\s>]+/
const NO_LETTERS = /^[^\p{L}\p{N}]*$/u
const RULED = /^[-_=*]{2}.*[-_=*]{2}$/
const FORWARDED = /original|forward|weitergeleit|transf|reenv|inoltr|doorgest|przekaz|пересл|vidarebef|iletilen/
const MAX_RULE_WORDS = 4
const FORWARD_LINE = /^(?:begin forwarded message|anfang der weitergeleiteten|debut du message)/
const ATTRIBUTION =
  /(?:wrote|writes|schrieb|a ecrit|escribio|escreveu|ha scritto|schreef|napisal|napisala|написал|написала|пишет|skrev|yazdi)\s*:?$/
const SENT_FROM =
  /^(?:sent from|get outlook|gesendet von|von meinem|envoye de|enviado desde|enviado do|inviato da|verstuurd vanaf|wyslano z)\b/
const SUBJECT_PREFIX =
  /^(?:(?:re|fwd?|aw|wg|tr|rv|res|enc|i|r|odp|pd|sv|vs|ynt|ilt|ответ)\s*(?:\[\d{1,3}\]\s*)?:\s*)+/iu
const LABEL = /^([\p{L}]{1,12})\s*:/u
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu
const DASHES = /^--$/
const BEGINS_SMALL = /^\p{Ll}/u

const MAX_FRAME_LINE = 200
const MAX_GREETING = 4
const MAX_NAME_LINE = 8
const MAX_SIGNATURE_LINES = 10
const LINES_WITH_GREETING = 3

/**
 * The lines of a text without its frame: quote marks, headers of a forwarded mail, "Re:", a greeting, a signature. A
 * text that is nothing else stays.
 */
export const withoutFrame = (text: string): readonly string[] => {
  const lines = text.split('\n').map(line => line.replace(QUOTE_MARKS, '').replace(/\s+/gu, ' ').trimEnd())
  const worded = withoutHeaders(beforeDashes(lines)).filter(line => !NO_LETTERS.test(line))
  const inner = withoutGreeting(withoutSignature(worded))
  return inner.length === 0 ? lines.filter(line => line !== '') : inner
}

/** The lines before the two dashes that mail programs put above a signature. */
const beforeDashes = (lines: readonly string[]): readonly string[] => {
  const at = lines.findLastIndex(line => DASHES.test(line))
  return at > 0 && lines.length - at <= MAX_SIGNATURE_LINES + 1 ? lines.slice(0, at) : lines
}

const isLabelled = (line: string): boolean => {
  const label = LABEL.exec(line.slice(0, MAX_FRAME_LINE))?.[1]
  return label !== undefined && MAIL_LABELS.has(fold(label))
}

/** Two labels in a row are headers. A single one may belong to the text. */
const withoutHeaders = (lines: readonly string[]): readonly string[] => {
  const labelled = lines.map(isLabelled)
  return lines.filter((line, index) => {
    if (labelled[index]) return !(labelled[index - 1] || labelled[index + 1])
    if (line.length > MAX_FRAME_LINE) return true
    const folded = fold(line)
    return !(
      isForwardRule(line, folded) ||
      FORWARD_LINE.test(folded) ||
      ATTRIBUTION.test(folded) ||
      SENT_FROM.test(folded)
    )
  })
}

const isForwardRule = (line: string, folded: string): boolean =>
  RULED.test(line) && FORWARDED.test(folded) && wordsIn(folded).length <= MAX_RULE_WORDS

const wordsIn = (line: string): readonly string[] =>
  line.length > MAX_FRAME_LINE ? [] : (fold(line).match(LETTERS) ?? [])

/**
 * Words without a capital that are not in `known`: they may be the reported problem. Scripts without capitals do not
 * tell names from words.
 */
const reportedWords = (line: string, known: readonly ReadonlySet<string>[]): readonly string[] =>
  (line.normalize('NFC').match(LETTERS) ?? []).filter(
    word => BEGINS_SMALL.test(word) && !known.some(some => some.has(fold(word))),
  )

const isSignOff = (line: string): boolean => {
  const words = wordsIn(line)
  return (
    words.slice(0, 2).some(word => SIGN_OFFS.has(word)) &&
    words.length <= MAX_NAME_LINE - 2 &&
    reportedWords(line, [SIGN_OFFS, CLOSINGS, FILLERS, ADDRESSED]).length === 0
  )
}

/** A signature's line has more names than other words. */
const isNameLine = (line: string): boolean => {
  const words = wordsIn(line).length
  return line.length <= MAX_FRAME_LINE && words <= MAX_NAME_LINE && reportedWords(line, []).length * 2 <= words
}

/** Behind two dashes or a sign-off come a few short lines with names alone. */
const withoutSignature = (lines: readonly string[]): readonly string[] => {
  for (let index = Math.max(1, lines.length - MAX_SIGNATURE_LINES); index < lines.length; index += 1) {
    if (isSignOff(lines[index] ?? '') && lines.slice(index + 1).every(isNameLine)) return lines.slice(0, index)
  }
  return lines
}

const withoutPrefix = (line: string): string => {
  const prefix = SUBJECT_PREFIX.exec(line.slice(0, MAX_FRAME_LINE))?.[0] ?? ''
  return line.slice(prefix.length)
}

/** A greeting has its own line, or stands before a comma. */
const withoutGreeting = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line, index) => {
    if (index >= LINES_WITH_GREETING) return [line]
    const rest = behindGreeting(index === 0 ? withoutPrefix(line) : line, index > 0)
    return rest === '' ? [] : [rest]
  })

/** A loop, because a line with thousands of greetings would overflow the stack. */
const behindGreeting = (line: string, mayBeAlone: boolean): string => {
  for (let rest = line; ; ) {
    const end = rest.slice(0, MAX_FRAME_LINE).search(/[,!.:;，！]/)
    const begins = end < 0 ? rest : rest.slice(0, end)
    const greeting = wordsIn(begins)
    if (!GREETINGS.has(greeting[0] ?? '') || greeting.length > MAX_GREETING) return rest
    // "Hi login fails, please help" does not greet somebody called "login fails".
    if (reportedWords(begins, [GREETINGS, ADDRESSED, FILLERS]).length > 0) return rest
    if (end < 0) return mayBeAlone && greeting.length < MAX_GREETING ? '' : rest
    rest = rest.slice(end + 1).trim()
  }
}

/** A word for the comparison. */
export interface Word {
  readonly text: string
  /**
   * True for a number, version, host, path, identifier, quotation, negation or opposite: texts that differ in one say
   * different things.
   */
  readonly isFact: boolean
  /** True for a name, by its capital. It may have a typing error in its middle alone. */
  readonly isName: boolean
  readonly isTitle: boolean
}

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
/**
 * Single characters of scripts without spaces; words with their apostrophes; signs of programming languages and
 * comparisons; pictures and currencies.
 */
const WORD = new RegExp(
  `[${UNSPACED}]|(?:(?<![\\p{L}\\p{N}])[\\-+](?=\\p{N}))?[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+(?:['’][\\p{L}\\p{M}]+)*(?:\\+\\+|#)?|[<>=!]=|[<>]|[\\p{Sc}\\p{Extended_Pictographic}]`,
  'gv',
)
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]$`, 'v')
const CHUNK = /\S+/gu
const HAS_NUMBER = /\p{N}/u
/** Signs inside of a host, path, address, identifier or setting. */
const JOINED = /[\p{L}\p{N})\]][._/\\:@=~$]+[\p{L}\p{N}([]|^--?\p{L}|[()[\]{}]{2}$/u
const MIXED_CASE = /\p{Ll}\p{Lu}|^\P{L}*\p{Lu}{2,}\P{L}*$/u
const CAPITAL = /^\P{L}*\p{Lu}/u
const ENDS_SENTENCE = /[.!?:;]["'”»)\]]*$/u
/** Three backticks fence code and open no quotation. */
const QUOTE = /["“”«»„]|(?<!`)`(?!`)/gu
const NOT_WORD = /[^\p{L}\p{N}\p{M}]/u

/** Characters that are compared by words; the rest must be equal. */
const MAX_CHARACTERS = 20_000
const MAX_TITLE_WORDS = 40
/** A text without lines and with at most so many words is all title. */
const MAX_SHORT_WORDS = 40

/**
 * A text in which each of its words is found as it is compared; null above the characters that are compared by words.
 * Costs a hundredth of reading the words.
 */
export const foldedText = (text: string): string | null =>
  text.length > MAX_CHARACTERS ? null : fold(text).replaceAll('’', "'")

/** The words of a text without its frame, in order. Linear in the text. */
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
