import { isPrecededBy } from './context.ts'
import type { Detector, Span } from './detector.ts'
import { occurrences } from './occurrences.ts'

const DOT = '(?:dot|punkt|punto|point|ponto|punt|kropka|точка)'
const LABEL = '[\\p{L}\\p{N}_-]{1,63}'
/** The sign in words; all but the English one mean nothing else. */
const SIGN = / (?:at|(arroba|arobase|chiocciola|apenstaartje|małpa|klammeraffe|собака)) /giu
const TOP_LEVEL = '(?:com|org|net|edu|gov|info|biz|app|dev|example|test|\\p{L}{2})'
const DOMAIN_START = new RegExp(`^(?:${LABEL} ${DOT} ){1,4}${TOP_LEVEL}(?![\\p{L}\\p{N}])`, 'iu')
const LOCAL_PART_END = new RegExp(`(?<![\\p{L}\\p{N}._+-])[\\p{L}\\p{N}._+-]{1,64}(?: ${DOT} ${LABEL}){0,3}$`, 'iu')
const SPELLED_DOT = new RegExp(` ${DOT} `, 'iu')
const MAIL_WORDS =
  /(?:mail|write|reach|contact|schreib|kontakt|écri|courriel|escri|correo|scriv|posta|schrijf|napisz|pisz|escrev)[^\n]{0,30}$/iu
const PRONOUN = /^(?:us|me|him|her|them|you|it|look|here|there|only|desk|team)$/i
const LONGEST = 160

/**
 * Addresses spelled in words: `first dot last at example dot org`. A plain word before the English "at" may be the verb of a sentence, so a
 * word such as "mail" must come before it; a domain without its dots spelled ("at example.org") is left, because it mostly names a site.
 */
export const spelledEmail: Detector = {
  kind: 'EMAIL',
  *find(text): Iterable<Span> {
    for (const sign of occurrences(SIGN, text)) {
      const after = sign.index + sign[0].length
      const domain = DOMAIN_START.exec(text.slice(after, after + LONGEST))?.[0]
      if (domain === undefined) continue
      const localPart = LOCAL_PART_END.exec(text.slice(Math.max(0, sign.index - LONGEST), sign.index))?.[0]
      if (localPart === undefined) continue
      const start = sign.index - localPart.length
      const isTelling = sign[1] !== undefined || SPELLED_DOT.test(localPart) || /[._\d]/.test(localPart)
      if (!isTelling && (PRONOUN.test(localPart) || !isPrecededBy(MAIL_WORDS, text, start))) continue
      yield { start, end: after + domain.length }
    }
  },
}
