import { isLooseAttribution, withoutOrnament } from './loose-attribution.ts'
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

/** `wrote` at the end of a line, in the languages of mail programs. */
export const AT_END =
  /(?<!\p{L})(?:wrote|writes|said|sent|het volgende geschreven|geschreven|het geskryf|ce qui suit|följande|écrit|escribió|escrit|escrigué|ha scritto|hai scritto|scrisse|escribiste|escreveste|escreveu|kirjoitti|skrev|schrieb|napsal\(?a?\)?|napísal\(?a?\)?|napisał\(?a?\)?|je napisa[lo](?:\/la)?|написал\(?а?\)?|написав\(?ла\)?|написа|пишет|пише|a scris|írta|yazdı|έγραψε|đã viết|menulis|כתב\/?ה?|كتب|写道|寫道|のメッセージ|님이 작성|작성|さん(?:から|は書きました))\s{0,3}[:：]?$/iu
/** `wrote:` behind a name in small letters; only a program makes this the whole line. */
const AT_WROTE =
  /(?<!\p{L})(?:wrote|writes|schrieb|schreef|a écrit|escribió|ha scritto|escreveu|skrev|kirjoitti|napsala?)\s{0,3}[:：]$/iu
/** Verbs for `wrote` that stand before the name. */
export const BEFORE_NAME =
  /(?<!\p{L})(?:schrieb(?:en|st)?|schreef|skrev|napisał\(?a?\)?|pisze|ezt írta|следующее|написал\(?а?\)?|пишет|пише|написав\(?ла\)?)(?!\p{L})/iu

const DAY =
  /(?<!\d)(?:\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}|\d{4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{1,2}|(?:19|20)\d\d)(?!\d)|\d{4}[年년]/u
export const TIME = /\d{1,2}\s?[:.h時时시]\s?\d\d/u

/** `<name> wrote on <date>:`, `<name> schrieb am <date>:`, `<name> kirjoitti <date>:` */
export const NAME_BEFORE_DATE =
  /^(?<name>\S.{0,60}?),? (?:wrote|schrieb(?:st|en)?|a écrit|escribió|ha scritto|escreveu|schreef|skrev|kirjoitti|napsala?),?(?: (?:on|am|le|el|il|em|op|den|dne))? (?=\d|\p{L}{2,9}[.,]{1,2} )(?<date>.{6,40})[:：]$/iu

/** A day without a year, which counts only beside a time. */
const DAY_OF_MONTH = /(?<![\d:.])\d{1,2}\.?\s\p{L}{3,9}|(?<!\p{L})\p{L}{3,9}\.?\s\d{1,2}(?![\d:.])/u

/** A sentence ends, and another begins. */
const HAS_SENTENCES = /\p{Ll}{4}["”)]?[.!?]\s{1,3}\p{Lu}/u

/** Maximum of words, not part of a name, between a time and a name. */
const MAX_SMALL_WORDS = 3

const ONE_WORD = /^["“]?[\p{L}][\p{L}\p{M}.'’-]{0,30}["”]?$/u
/** How programs name themselves that send for somebody. */
const OF_PROGRAM = /^[^\s.!?]{1,40} via (?:[^\s.!?]{1,40} ?){1,4}$/

/**
 * How certainly the lines are a program's statement that somebody else wrote what follows. The names of the middle
 * levels say where the lines count: directly above `>`, above quote marks, or in a mail that is an answer.
 */
export type Certainty = 'none' | 'directly above >' | 'with marks' | 'in an answer' | 'sure'

/** `--- name@example.com wrote:` (Yahoo) */
const BEHIND_DASHES = /^-{3,4}\s{1,3}(?=\S.*@)/

/** The certainty of lines that are an attribution from their first character to their last. */
export const certaintyOf = (written: string): Certainty => {
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
  /** Where the verb at the end begins; -1 without a verb. */
  readonly last: number
  readonly ends: boolean
  readonly hasDay: boolean
  readonly hasTime: boolean
}

/** `On <date>, <name> <address> wrote:`, `Am <date> schrieb <name>:`, `<date>, <name> <address>:` */
const datedCertainty = (text: string, { address, last, ends, hasDay, hasTime }: Found): Certainty => {
  const until = address?.index ?? (last >= 0 ? last : text.length)
  const before = text.slice(0, until)
  // The text between the date's last figure and the address.
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

/** Text between an address and the verb: nothing, or an auxiliary verb. */
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
