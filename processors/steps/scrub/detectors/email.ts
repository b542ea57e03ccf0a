import { isPrecededBy } from './context.ts'
import { type Detector, occurrences, type Span } from './detector.ts'

const IN_LOCAL_PART = /[\p{L}\p{N}\p{M}._%+'-]/u
const QUOTED_LOCAL_PART_END = /"[^"\n]{1,62}"$/
const DOMAIN_START =
  /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,62})\.){1,8}(?:xn--[a-z0-9-]{2,59}|[a-z]{2,63}(?!\p{Script=Latin})|[\p{L}\p{M}]{2,63})/iu
/** Scripts without spaces: an address begins where Latin letters begin after them. */
const UNSPACED_SCRIPT =
  /^.*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー](?=[a-z\d._%+-]+$)/iu
const MAX_DOMAIN = 255
const MAX_LOCAL_PART = 64
/** No mailboxes: source hosts use `git@` for SSH, and programming languages use the others as labels. */
const NO_LOCAL_PARTS: ReadonlySet<string> = new Set(['git', 'this', 'super', 'return', 'break', 'continue'])
/** Endings of file and service names, which are no top-level domains. */
const NO_TOP_LEVEL_DOMAIN =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|pdf|js|mjs|cjs|ts|tsx|jsx|css|scss|html?|xml|json|ya?ml|toml|txt|log|csv|lock|conf|service|socket|timer|target|slice|scope)$/i
/** Text behind the sign in names of packages and pictures: `icon@2x.min.js`, `library@4.17.min.js`. */
const VERSION_OR_DENSITY = /^\d+x?\./i

/** E-mail addresses (RFC 5321 as people use it: plain or quoted local part, any script), also inside of links. */
export const email: Detector = {
  kind: 'EMAIL',
  *find(text): Iterable<Span> {
    for (let sign = text.indexOf('@'); sign !== -1; sign = text.indexOf('@', sign + 1)) {
      const domain = domainAt(text, sign + 1)
      if (domain === null) continue
      const localPart = localPartBefore(text, sign)
      if (localPart === null || NO_LOCAL_PARTS.has(localPart)) continue
      yield { start: sign - localPart.length, end: sign + 1 + domain.length }
    }
  },
}

/**
 * The domain at a position. A name with a file's ending counts when it is a domain without the ending:
 * `sender@example.com.pdf`, not `logo@2x.png`.
 */
const domainAt = (text: string, position: number): string | null => {
  const domain = DOMAIN_START.exec(text.slice(position, position + MAX_DOMAIN))?.[0] ?? null
  if (domain === null || !NO_TOP_LEVEL_DOMAIN.test(domain)) return domain
  const rest = DOMAIN_START.exec(domain.replace(NO_TOP_LEVEL_DOMAIN, ''))?.[0] ?? null
  return rest === null || NO_TOP_LEVEL_DOMAIN.test(rest) || VERSION_OR_DENSITY.test(rest) ? null : rest
}

const localPartBefore = (text: string, position: number): string | null => {
  const before = text.slice(Math.max(0, position - MAX_LOCAL_PART), position)
  const quoted = before.endsWith('"') ? QUOTED_LOCAL_PART_END.exec(before)?.[0] : undefined
  const localPart = (quoted ?? localPartAtEnd(before)).replace(UNSPACED_SCRIPT, '').replace(/^[.'-]+/, '')
  return localPart === '' ? null : localPart
}

/** Reads back from the sign, one code point at a time: a regular expression would try every start. */
const localPartAtEnd = (before: string): string => {
  let start = before.length
  while (start > 0) {
    const unit = before.charCodeAt(start - 1)
    const begin = unit >= 0xdc00 && unit <= 0xdfff && start > 1 ? start - 2 : start - 1
    if (!(isPlainWord(unit) || IN_LOCAL_PART.test(before.slice(begin, start)))) break
    start = begin
  }
  return before.slice(start)
}

const isPlainWord = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a)

const DOT = '(?:dot|punkt|punto|point|ponto|punt|kropka|точка)'
const LABEL = '[\\p{L}\\p{N}_-]{1,63}'
/** The sign as a word. All but the English one mean nothing else. */
const SIGN = / (?:at|(arroba|arobase|chiocciola|apenstaartje|małpa|klammeraffe|собака)) /giu
const TOP_LEVEL = '(?:com|org|net|edu|gov|info|biz|app|dev|example|test|\\p{L}{2})'
const SPELLED_DOMAIN_START = new RegExp(`^(?:${LABEL} ${DOT} ){1,4}${TOP_LEVEL}(?![\\p{L}\\p{N}])`, 'iu')
const SPELLED_LOCAL_PART_END = new RegExp(
  `(?<![\\p{L}\\p{N}._+-])[\\p{L}\\p{N}._+-]{1,64}(?: ${DOT} ${LABEL}){0,3}$`,
  'iu',
)
const SPELLED_DOT = new RegExp(` ${DOT} `, 'iu')
const MAIL_WORDS =
  /(?:mail|write|reach|contact|schreib|kontakt|écri|courriel|escri|correo|scriv|posta|schrijf|napisz|pisz|escrev)[^\n]{0,30}$/iu
/** A domain of a provider as words: it always belongs to an address. */
const OF_PROVIDER = new RegExp(
  `^(?:gmail|googlemail|yahoo|hotmail|outlook|icloud|gmx|web|proton|protonmail|yandex|aol|live|mail|me|posteo) ${DOT} `,
  'i',
)
const PRONOUN = /^(?:us|me|him|her|them|you|it|look|here|there|only|desk|team)$/i
const LONGEST = 160

/**
 * Addresses spelled in words: `first dot last at example dot org`. A plain word before the English "at" may be a verb,
 * so a word such as "mail" must come before it. A domain with real dots ("at example.org") mostly names a site, and is
 * left.
 */
export const spelledEmail: Detector = {
  kind: 'EMAIL',
  *find(text): Iterable<Span> {
    for (const sign of occurrences(SIGN, text)) {
      const after = sign.index + sign[0].length
      const domain = SPELLED_DOMAIN_START.exec(text.slice(after, after + LONGEST))?.[0]
      if (domain === undefined) continue
      const localPart = SPELLED_LOCAL_PART_END.exec(text.slice(Math.max(0, sign.index - LONGEST), sign.index))?.[0]
      if (localPart === undefined) continue
      const start = sign.index - localPart.length
      const isTelling =
        sign[1] !== undefined || OF_PROVIDER.test(domain) || SPELLED_DOT.test(localPart) || /[._\d]/.test(localPart)
      if (!isTelling && (PRONOUN.test(localPart) || !isPrecededBy(MAIL_WORDS, text, start))) continue
      yield { start, end: after + domain.length }
    }
  },
}
