import { endsLoosely, isLooseAttribution, withoutOrnament } from './loose-attribution.ts'
import {
  BEGINS_WITH_DATE,
  BEHIND_DATE,
  behindLastFigure,
  countSmallWords,
  hasOwnWord,
  isPlainName,
  lastAddress,
  NAME,
} from './people.ts'
import { isBlank, isQuoted, MARKS } from './quoted-lines.ts'

/** The line above a quote may be wrapped over so many. */
const MAX_LINES = 4
const MAX_LENGTH = 400

/** `wrote` in the languages that mail programs speak, where it stands at the end. */
const AT_END =
  /(?<!\p{L})(?:wrote|writes|said|sent|het volgende geschreven|geschreven|het geskryf|ce qui suit|följande|écrit|escribió|escrit|escrigué|ha scritto|hai scritto|scrisse|escribiste|escreveste|escreveu|kirjoitti|skrev|schrieb|napsal\(?a?\)?|napísal\(?a?\)?|napisał\(?a?\)?|je napisa[lo](?:\/la)?|написал\(?а?\)?|написав\(?ла\)?|написа|пишет|пише|a scris|írta|yazdı|έγραψε|đã viết|menulis|כתב\/?ה?|كتب|写道|寫道|のメッセージ|님이 작성|작성|さん(?:から|は書きました))\s{0,3}[:：]?$/iu
/** What nobody but a program says of a name in small letters, with all of the line. */
const AT_WROTE =
  /(?<!\p{L})(?:wrote|writes|schrieb|schreef|a écrit|escribió|ha scritto|escreveu|skrev|kirjoitti|napsala?)\s{0,3}[:：]$/iu
/** Verbs that say so before a name. */
const BEFORE_NAME =
  /(?<!\p{L})(?:schrieb(?:en|st)?|schreef|skrev|napisał\(?a?\)?|pisze|ezt írta|следующее|написал\(?а?\)?|пишет|пише|написав\(?ла\)?)(?!\p{L})/iu

const DAY =
  /(?<!\d)(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}|\d{4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{1,2}|(?:19|20)\d\d)(?!\d)|\d{4}[年년]/u
const TIME = /\d{1,2}\s?[:.h時时시]\s?\d\d/u

/** `<name> wrote on <date>:`, `<name> schrieb am <date>:`, `<name> kirjoitti <date>:` */
const NAME_BEFORE_DATE =
  /^(?<name>\S.{0,60}?),? (?:wrote|schrieb(?:st|en)?|a écrit|escribió|ha scritto|escreveu|schreef|skrev|kirjoitti|napsala?),?(?: (?:on|am|le|el|il|em|op|den|dne))? (?=\d|\p{L}{2,9}[.,]{1,2} )(?<date>.{6,40})[:：]$/iu

/** Without a year, which is a day only where a time stands beside it. */
const DAY_OF_MONTH = /(?<![\d:.])\d{1,2}\.?\s\p{L}{3,9}|(?<!\p{L})\p{L}{3,9}\.?\s\d{1,2}(?![\d:.])/u

/** The date stands on the line above: `at 19:21, <name> wrote:` */
const BEGINS_WITH_TIME = /^[^\p{L}\d]{0,6}(?:[\p{L}-]{1,14}[.,]{0,2}\s{1,3}){0,4}\d{1,2}[:.h]\d\d/u
/** A sentence ends within, and another one begins. */
const HAS_SENTENCES = /\p{Ll}{4}["”)]?[.!?]\s{1,3}\p{Lu}/u

/** A few words that are none of a name stand between a time and a name. */
const MAX_SMALL_WORDS = 3

const ONE_WORD = /^["“]?[\p{L}][\p{L}\p{M}.'’-]{0,30}["”]?$/u
/** How programs that send for somebody name them. */
const OF_PROGRAM = /^[^\s.!?]{1,40} via (?:[^\s.!?]{1,40} ?){1,4}$/

/** How sure it is that a program wrote that somebody else wrote what follows. */
type Certainty = 'none' | 'directly above >' | 'with marks' | 'in an answer' | 'sure'

/** `--- name@example.com wrote:` (Yahoo) */
const BEHIND_DASHES = /^-{3,4}\s{1,3}(?=\S.*@)/

/** What lines together say, when they are an attribution from their first character to their last. */
const certaintyOf = (written: string): Certainty => {
  const certainty = strictCertaintyOf(written.replace(BEHIND_DASHES, ''))
  if (certainty !== 'none' && certainty !== 'directly above >') return certainty
  const text = withoutOrnament(written)
  if (isLooseAttribution(text) || (text !== written && strictCertaintyOf(text) !== 'none')) return 'with marks'
  if (certainty !== 'none') return certainty
  const verb = AT_WROTE.exec(written)
  return verb !== null && isPlainName(written.slice(0, verb.index).trim()) ? 'directly above >' : 'none'
}

const strictCertaintyOf = (text: string): Certainty => {
  const last = text.match(AT_END)?.index ?? -1
  const ends = last >= 0 || /[:：]$/.test(text)
  const address = lastAddress(text) ?? null
  const hasTime = TIME.test(text)
  const hasDay = DAY.test(text) || (hasTime && DAY_OF_MONTH.test(text))
  if (HAS_SENTENCES.test(text)) return 'none'
  const dated = NAME_BEFORE_DATE.exec(text)?.groups
  if (dated !== undefined && hasDay && isAnyName(dated.name ?? '')) return 'directly above >'
  if (BEGINS_WITH_DATE.test(text) && (hasDay || (ends && (hasTime || address !== null))))
    return datedCertainty(text, { address, last, ends, hasDay, hasTime })
  if (!ends) return 'none'
  if (address !== null) return addressedCertainty(text, address, { last, hasDay })
  const name = (last >= 0 ? text.slice(0, last) : '').trim().replace(/,$/, '')
  return NAME.test(name) ? 'with marks' : 'none'
}

const isAnyName = (name: string): boolean => NAME.test(name) || isPlainName(name)

interface Found {
  readonly address: RegExpExecArray | null
  /** Where the verb at the end begins; -1 without. */
  readonly last: number
  readonly ends: boolean
  readonly hasDay: boolean
  readonly hasTime: boolean
}

/** `On <date>, <name> <address> wrote:`, `Am <date> schrieb <name>:`, `<date>, <name> <address>:` */
const datedCertainty = (text: string, { address, last, ends, hasDay, hasTime }: Found): Certainty => {
  const until = address?.index ?? (last >= 0 ? last : text.length)
  const before = text.slice(0, until)
  // What stands between the last figure, which is of the date, and the address.
  const named = behindLastFigure(before)
  const verb = BEFORE_NAME.exec(named)
  const behind = address === null ? '' : text.slice(until + address[0].length, last >= 0 ? last : undefined)
  const saysWho = last >= 0 || verb !== null || address !== null
  // `On <date and time> Kim Lee:`
  if (!saysWho && hasDay && hasTime && ends && NAME.test(named.replace(BEHIND_DATE, '').replace(/[:：]$/, '')))
    return 'directly above >'
  if (!saysWho || /\p{L}{4}/u.test(behind)) return address !== null ? 'with marks' : 'none'
  if (countSmallWords(named) > MAX_SMALL_WORDS)
    return hasDay && hasTime && ends && !hasOwnWord(named) ? 'directly above >' : 'none'
  if (address !== null && hasDay && (ends || hasTime)) return ends || last >= 0 ? 'sure' : 'with marks'
  // Gmail writes no verb in some languages: `2026/11/23 Kim Lee <name@example.com>`
  if (!ends && /^\d/.test(text) && hasDay && address?.[0].startsWith('<') && behind.trim() === '')
    return 'directly above >'
  const behindVerb = named.slice(verb === null ? 0 : verb.index + verb[0].length)
  const name = behindVerb
    .slice(behindVerb.lastIndexOf(',') + 1)
    .replace(/^[\s,:]{0,4}(?:(?:[ap]\.?\s?m\.?|uhr|(?:GMT|UTC)[+-]?)(?!\p{L}))?[\s,]{0,4}/iu, '')
    .replace(/[\s:：,]{0,3}$/u, '')
    .replace(/\s{1,3}(?:a|ha|hat|heeft|har)$/u, '')
    .replace(/\s{2,9}/g, ' ')
  const isName = NAME.test(name)
  if (!ends) return 'none'
  return hasDay && hasTime && isName ? 'in an answer' : 'with marks'
}

/** What may stand between an address and the verb: nothing, or the beginning of it. */
const BEFORE_VERB = /^[\s,]{0,3}(?:a|ha|hat|har)?\s{0,3}$/u

/** `<name> <address> schrieb am <date>:`, `<name> <address> wrote:` */
const addressedCertainty = (
  text: string,
  address: RegExpExecArray,
  { last, hasDay }: Pick<Found, 'last' | 'hasDay'>,
): Certainty => {
  const name = text.slice(0, address.index).trim().replace(/,$/, '')
  const isName = name === '' || NAME.test(name) || ONE_WORD.test(name) || OF_PROGRAM.test(name) || isPlainName(name)
  const behind = text.slice(address.index + address[0].length)
  const saysWrote =
    last >= 0 ||
    BEFORE_NAME.test(behind) ||
    /^\s{0,3}(?:wrote|a écrit|escribió|ha scritto|escreveu|kirjoitti|于|於)/iu.test(behind)
  // `kim lee <kim@example.com>:`
  if (!saysWrote && isName && name !== '' && address[0].startsWith('<') && /^\s?[:：]$/.test(behind))
    return 'directly above >'
  if (!isName || !saysWrote || countSmallWords(behind) > MAX_SMALL_WORDS + 1) return 'none'
  if (hasDay) return 'sure'
  // Some programs write no date: `name@example.com wrote:`, `<name> <address> schrieb:`
  const isForm = name === '' || address[0].startsWith('<')
  return isForm && BEFORE_VERB.test(behind.slice(0, Math.max(0, last - text.length + behind.length)))
    ? 'in an answer'
    : 'with marks'
}

/** `---- On <date> <name> <address> wrote ----` */
const BETWEEN_DASHES = /^-{2,9}\s{0,3}(?<said>[^\s-].{0,390}?[^\s-])\s{0,3}-{2,9}$/u

/** An address that is broken over two lines is one again. */
const joined = (lines: readonly string[]): string =>
  lines
    .join(' ')
    .replace(/<[^<>@]{0,64}@?[^<>]{0,64}>/g, address => (address.includes('@') ? address.replaceAll(' ', '') : address))

const OPEN_ADDRESS = /<[^<>\s]{1,64}@?[^<>\s]{0,64}$/

/** Whether a line that seems to be quoted is the end of an address that is broken over two: `<name@example.com⏎>:` */
export const closesAddress = (lines: readonly string[], index: number): boolean => {
  const line = lines[index] ?? ''
  return (
    line.length <= MAX_LENGTH &&
    /^>[^>]{0,40}[:：]\s?$/u.test(line) &&
    OPEN_ADDRESS.test((lines[index - 1] ?? '').slice(-MAX_LENGTH).trimEnd())
  )
}

/** Lines that say who wrote what follows. */
interface Attribution {
  /** The index of its first line. */
  readonly start: number
  readonly certainty: Exclude<Certainty, 'none'>
}

/**
 * Whether a line may be the last one of an attribution: by its end, and by what an attribution has somewhere, an
 * address or a verb. This cheap check sorts most lines out.
 */
export const mayEndAttribution = (lines: readonly string[], end: number): boolean => {
  const line = (lines[end] ?? '').replace(MARKS, '').trim()
  if (line === '' || line.length > MAX_LENGTH) return false
  if (AT_END.test(line) || endsLoosely(line)) return true
  if (/[\p{L}\p{N}]\s{0,3}-{2,9}$/u.test(line) || /@\S{1,64}[>\])]$/.test(line)) return true
  if (!/[:：]$/.test(line)) return false
  if (NAME_BEFORE_DATE.test(line) || (BEGINS_WITH_DATE.test(line) && TIME.test(line))) return true
  const text = lines
    .slice(Math.max(0, end - MAX_LINES + 1), end + 1)
    .join(' ')
    .slice(-MAX_LENGTH)
  return text.includes('@') || BEFORE_NAME.test(text) || AT_END.test(text)
}

const beginsParagraph = (lines: readonly string[], start: number): boolean => {
  const above = lines[start - 1] ?? ''
  return isBlank(above) || isQuoted(above)
}

/**
 * The attribution that ends with a line: the fewest lines that are one, so that nothing above it is taken that its
 * author wrote. Null when none does.
 */
export const attributionAt = (lines: readonly string[], end: number): Attribution | null => {
  if (!mayEndAttribution(lines, end)) return null
  const taken: string[] = []
  let weaker: Attribution | null = null
  let needsDate = false
  for (let start = end; start >= 0 && end - start < MAX_LINES; start--) {
    const above = (lines[start] ?? '').replace(MARKS, '').trim()
    if (above === '' || (isQuoted(above) && !closesAddress(lines, start))) break
    taken.unshift(above)
    const text = joined(taken)
    if (text.length > MAX_LENGTH) break
    const said = BETWEEN_DASHES.exec(text)?.groups?.said
    const certainty = certaintyOf(said ?? text)
    if (certainty === 'none') continue
    const isDated = BEGINS_WITH_DATE.test(said ?? text)
    // A weak one is a paragraph of its own, on one line, or on several that begin with the date; then these alone.
    const isWeak = certainty === 'directly above >'
    needsDate ||= isWeak && !isDated && !(start === end && beginsParagraph(lines, start))
    if ((needsDate && !isDated) || (isWeak && !beginsParagraph(lines, start))) continue
    const isWhole = isDated && !BEGINS_WITH_TIME.test(text)
    if (isWhole || certainty === 'sure') return { start, certainty }
    weaker ??= { start, certainty }
  }
  return weaker
}
