import { countSmallWords, lastAddress, NAME, withoutDate } from './people.ts'

/** Verbs for `wrote` as people and old news programs use them. */
const VERBS =
  'wrote|writes|write|said|says|replied|replies|responded|responds|asked|asks|added|adds|scribbled|scribed|mumbled|muttered|babbled|blathered|wibbled|typed|penned|quoth|opined|spake|uttered|whispered|intoned|expounded|pontificated|verbalised|told this|did opine|blurted|spewed|ranted|rašė|rakstīja|kirjutas|napisao|napisala|pisze|schreef|skrifaði'
const AT_END = new RegExp(
  `(?<!\\p{L})(?:${VERBS})(?:,? thus(?:ly)?|,? (?:the )?following)?(?:,? in (?:message|article) \\S{1,200})?\\s{0,2}(?:[:：;,-]|\\.{1,4})?$`,
  'iu',
)

/** `-=> Quoting Name to All <=-` */
const OF_MAILBOX = /^-=> Quoting .{1,80} <=-$/i

/** `Quoting Kim Lee (2026-11-23 19:21:00)` (alot, sup) */
const QUOTING_DATED = /^Quoting \p{Lu}[^():]{1,60} \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\)$/u

/** True when a line ends with such a verb. */
export const endsLoosely = (line: string): boolean =>
  AT_END.test(line) || OF_MAILBOX.test(line) || QUOTING_DATED.test(line)

/**
 * Ornaments that programs put before the name, `* Name <name@example.com>:`, or before every line: `KL> Name writes:`,
 * `: In article <id> Name writes:`
 */
const ORNAMENT =
  /^(?:(?:\*|-{2,3}|={2,3})\s{0,2}(?=["\p{Lu}])|\p{Lu}\p{L}{0,11}>{1,3}\s|[|:}\])#+%<&]{1,3}\s?(?=[\p{L}"]))/u

export const withoutOrnament = (text: string): string => text.replace(ORNAMENT, '')

/** `In article <id> name@example.com (Name) writes:`, `In message <id>, Name writes:`, `In comp.lang.c, Name wrote:` */
const IN_ARTICLE =
  /^[^\p{L}\d]{0,4}In (?:(?:an? |the )?(?:previous |prior |earlier |recent |last )?(?:article|message|mail|e-mail|posting|post)\b|<|\p{Ll}[\w-]{1,30}\.[\w.-]{1,60},? )/iu
/** An address as mailing list archives write it. */
const HIDDEN_ADDRESS = /<([^\s<>@]{1,64}) (?:at|<at>) ([^\s<>@]{1,64})>/u
/** `Quoting Name <name@example.com>:` */
const QUOTING = /^(?:quoting|zitat von|zitiere|citando(?: a)?|citation de|en réponse à|citerar)\s\S/iu
/** A nickname of a forum or an old program: `name_12;4711 wrote:` */
const NICKNAME = /^(?=\S{0,39}[\d_;.-])[\p{L}\d][\p{L}\d_;.-]{1,39}$/u
/** A name in quotes, with a title, or with a nickname inside. */
const LONG_NAME = /^(?:"[^"]{1,60}"|["\p{Lu}][^:!?<>@]{0,60})$/u
/** First words of a person's own sentence. */
const OWN_WORD =
  /^(?:he|she|it|they|we|i|who|this|that|these|what|which|as|like|when|where|if|so|and|but|my|our|your|his|her|their|the|an?|one|some|somebody|someone|even|in|on|at|from|for|to|with|your?)(?!\p{L})/iu

const isNamed = (name: string): boolean =>
  !OWN_WORD.test(name) &&
  (NAME.test(name) || NICKNAME.test(name) || (LONG_NAME.test(name) && countSmallWords(name) <= 2))

/** `Name, on Mon, 23 Nov 2026 19:21 wrote:` */
const DATED_BEHIND = /,? (?:on|am|le|el) (?:the )?(?:\p{L}{1,9}[.,]? ){0,2}\d.{3,50}$/iu
const NICKNAMED = /^"[^"]{1,40}"(?: \p{Lu}[\p{L}'’-]{1,30}){1,3}$/u

const NOTHING = /^[\s,:：]{0,3}(?:\([^()]{0,60}\)\s{0,2})?[,:：]?\s?$/u

/**
 * True for an attribution as old news programs or people write it. Sure enough above lines marked as quoted, and only
 * for itself.
 */
export const isLooseAttribution = (written: string): boolean => {
  if (OF_MAILBOX.test(written) || QUOTING_DATED.test(written)) return true
  const text = written.replace(HIDDEN_ADDRESS, '<$1@$2>')
  const end = AT_END.exec(text)?.index ?? -1
  if (IN_ARTICLE.test(text)) return end > 0 && /[@<]|^In \S{1,90}, \p{Lu}/u.test(text)
  const address = lastAddress(text)
  if (address === undefined) {
    if (end <= 0) return false
    const said = text.slice(0, end).trim().replace(DATED_BEHIND, '')
    const name = withoutDate(said)
      .trim()
      .replace(/[,;:]$/, '')
    if (name !== said) return name === 'you' || isNamed(name)
    return !OWN_WORD.test(name) && (NAME.test(name) || NICKNAME.test(name) || NICKNAMED.test(name))
  }
  if (QUOTING.test(text)) return /[:：]$/.test(text)
  const name = withoutDate(text.slice(0, address.index))
    .trim()
    .replace(/[,;:([<]{1,2}$/, '')
    .trim()
  const behind = text.slice(address.index + address[0].length, end > 0 ? end : undefined)
  return (name === '' || isNamed(name)) && NOTHING.test(behind) && (end > 0 || (name !== '' && /[:：]$/.test(text)))
}
