import { GREETINGS, MAIL_LABELS, SIGN_OFFS } from './small-words.ts'

const LATIN_MARKS = /[\u0300-\u036f]/g

/** Lower case, in compatible forms, without the accents of Latin letters. */
export const fold = (text: string): string => text.normalize('NFKD').replace(LATIN_MARKS, '').toLowerCase()

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
  /^(?:(?:re|fwd?|aw|wg|tr|rv|res|enc|i|r|odp|pd|sv|vs|ynt|ilt|ответ)\s*(?:\[\d{1,3}\])?\s*:\s*)+/iu
const LABEL = /^([\p{L}]{1,12})\s*:/u
const LETTERS = /[\p{L}\p{N}\p{M}]+/gu
const DASHES = /^--$/

const MAX_FRAME_LINE = 200
const MAX_GREETING = 4
const MAX_NAME_LINE = 8
const MAX_SIGNATURE_LINES = 10
const LINES_WITH_GREETING = 3

/**
 * The lines of a text without what carries it: quote marks, headers of a forwarded mail, "Re:", a greeting, a
 * signature. A text that is nothing else is kept as it is.
 */
export const withoutFrame = (text: string): readonly string[] => {
  const lines = text.split('\n').map(line => line.replace(QUOTE_MARKS, '').replace(/\s+/gu, ' ').trimEnd())
  const worded = withoutHeaders(beforeDashes(lines)).filter(line => !NO_LETTERS.test(line))
  const inner = withoutGreeting(withoutSignature(worded))
  return inner.length === 0 ? lines.filter(line => line !== '') : inner
}

/** What comes before the two dashes that mail programs put above a signature. */
const beforeDashes = (lines: readonly string[]): readonly string[] => {
  const at = lines.findLastIndex(line => DASHES.test(line))
  return at > 0 && lines.length - at <= MAX_SIGNATURE_LINES + 1 ? lines.slice(0, at) : lines
}

const isLabelled = (line: string): boolean => {
  const label = LABEL.exec(line.slice(0, MAX_FRAME_LINE))?.[1]
  return label !== undefined && MAIL_LABELS.has(fold(label))
}

/** Two labels in a row are headers; one alone may be somebody's words. */
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

/** Behind two dashes, or a line that ends a letter, come names alone: short lines, and few. */
const withoutSignature = (lines: readonly string[]): readonly string[] => {
  for (let index = Math.max(1, lines.length - MAX_SIGNATURE_LINES); index < lines.length; index += 1) {
    const words = wordsIn(lines[index] ?? '')
    if (!words.slice(0, 2).some(word => SIGN_OFFS.has(word)) || words.length > MAX_NAME_LINE - 2) continue
    const names = lines.slice(index + 1)
    if (names.every(line => line.length <= MAX_FRAME_LINE && wordsIn(line).length <= MAX_NAME_LINE)) {
      return lines.slice(0, index)
    }
  }
  return lines
}

const withoutPrefix = (line: string): string => {
  const prefix = SUBJECT_PREFIX.exec(line.slice(0, MAX_FRAME_LINE))?.[0] ?? ''
  return line.slice(prefix.length)
}

/** A greeting has a line of its own, or stands before a comma. */
const withoutGreeting = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line, index) => {
    if (index >= LINES_WITH_GREETING) return [line]
    const rest = behindGreeting(index === 0 ? withoutPrefix(line) : line, index > 0)
    return rest === '' ? [] : [rest]
  })

const behindGreeting = (line: string, mayBeAlone: boolean): string => {
  const end = line.slice(0, MAX_FRAME_LINE).search(/[,!.:;，！]/)
  const greeting = wordsIn(end < 0 ? line : line.slice(0, end))
  if (!GREETINGS.has(greeting[0] ?? '') || greeting.length > MAX_GREETING) return line
  if (end < 0) return mayBeAlone && greeting.length < MAX_GREETING ? '' : line
  return behindGreeting(line.slice(end + 1).trim(), mayBeAlone)
}
