import { isIPv4, isIPv6 } from 'node:net'
import { isIntroducedBy } from './context.ts'
import type { Detector, Span } from './detector.ts'

const DOTTED = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d|-[a-z])/gi
const VERSION = /(?:version|versión|versione|versão|wersja|версия|release|build|firmware|ver|v)[\s_.:#=-]*$/iu
const HEX_AND_COLONS = /(?<![0-9a-f])[0-9a-f]*(?::[0-9a-f.]*){2,}/gi
const MAX_IPV6_LENGTH = 45

/** IP addresses, v4 and v6. A dotted number that a word calls a version is one. */
export const ipAddress: Detector = {
  kind: 'IP_ADDRESS',
  *find(text) {
    for (const match of text.matchAll(DOTTED)) {
      if (isIPv4(match[0]) && !isIntroducedBy(VERSION, text, match.index)) {
        yield { start: match.index, end: match.index + match[0].length }
      }
    }
    for (const match of text.matchAll(HEX_AND_COLONS)) {
      const span = ipv6Within(text, match.index, match[0])
      if (span !== null) yield span
    }
  },
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u

/** The address in a run of hexadecimal digits, colons and dots, without the punctuation and the label (`IP:`) around it. */
const ipv6Within = (text: string, offset: number, run: string): Span | null => {
  let start = offset
  let end = offset + run.length
  if (WORD_CHARACTER.test(text[end] ?? '')) return null
  while (end > start && (text[end - 1] === '.' || (text[end - 1] === ':' && text[end - 2] !== ':'))) end -= 1
  // `e` of `Adresse:` is a hexadecimal digit: what belongs to a word goes, with the colon after it.
  if (WORD_CHARACTER.test(text[start - 1] ?? '')) start = text.indexOf(':', start) + 1
  else if (text[start] === ':' && text[start + 1] !== ':') start += 1
  if (end - start > MAX_IPV6_LENGTH) return null
  const address = text.slice(start, end)
  return isIPv6(address) && looksMeant(address) ? { start, end } : null
}

/** `a::b` names things in many programming languages: an address has a digit, and more than two short groups. */
const looksMeant = (address: string): boolean => {
  const groups = address.split(':').filter(group => group !== '')
  const [first = ''] = groups
  return /\d/.test(address) && (groups.length >= 3 || address.startsWith('::') || first.length >= 3)
}
