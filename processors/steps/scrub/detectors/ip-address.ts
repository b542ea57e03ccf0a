import { isIPv4, isIPv6 } from 'node:net'
import { isPrecededBy } from './context.ts'
import { type Detector, occurrences, type Span } from './detector.ts'

const DOTTED = /(?<![\w.]|[a-z]-)\d{1,3}(?:\.\d{1,3}){3}(?![\w%]|\.\d|-[a-z])/gi
/**
 * What four numbers may be instead: a version, also after another one, a section of a document, an object identifier.
 */
export const VERSION_WORDS =
  /(?<!\p{L})(?:versions?|versionen|versiones|versión|versioni?e?|versão|versões|versies?|versjon|wersj\p{L}*|верси\p{L}*|releases?|builds?|firmware|drivers?|kernel|treiber|assembly|package|plugin|sdk|patch|hotfix|update[ds]?|upgrades?|upgraded?|ver|v|rv|since|seit|depuis|desde|sinds|oid|section|chapter|clause|kapitel|abschnitt|§|rev)(?:[\s_.:#="'-]|(?<!\p{L})(?:from|to|is|von|auf|de|à|a|da|van|naar|z|do|number|no)(?!\p{L})){0,8}(?:\d{1,5}(?:\.\d{1,5}){2,3}[\s,>→-]{0,4}(?:(?:to|and|or|auf|und|à|et|a|e|y|naar|en|do|i)(?!\p{L})\s?)?){0,2}$/iu
/** `Chrome/120.0.0.0`: a product and its version, but no path. */
const PRODUCT = /(?<![\w./-])[a-z][\w.-]{0,40}\/$/i
const HEX_AND_COLONS = /(?<![0-9a-f])[0-9a-f]*(?::[0-9a-f.]*){2,}/gi
const MAX_IPV6_LENGTH = 45

/** IP addresses, v4 and v6. A dotted number that a word calls a version is one. */
export const ipAddress: Detector = {
  kind: 'IP_ADDRESS',
  *find(text) {
    yield* ipv4(text)
    for (const match of occurrences(HEX_AND_COLONS, text)) {
      const span = ipv6Within(text, match.index, match[0])
      if (span !== null) yield span
    }
  },
}

/** Once `5.4.3.2` is called a version, `5.4.3.3` is one too. */
function* ipv4(text: string): Iterable<Span> {
  const versions = new Set<string>()
  for (const { 0: found, index } of occurrences(DOTTED, text)) {
    if (!isIPv4(found)) continue
    const release = found.split('.', 2).join('.')
    if (isPrecededBy(VERSION_WORDS, text, index) || isPrecededBy(PRODUCT, text, index)) versions.add(release)
    else if (!versions.has(release)) yield { start: index, end: index + found.length }
  }
}

const WORD_CHARACTER = /[\p{L}\p{N}_]/u

/**
 * The address in a run of hexadecimal digits, colons and dots, without the punctuation and the label (`IP:`) around it.
 */
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
  return isIPv6(address) && (isAllocated(address) || WHOLE.test(address)) ? { start, end } : null
}

/**
 * Global unicast, unique local, link local and multicast: what IANA's IPv6 address space registry holds, written in
 * four digits.
 */
const ALLOCATED = /^(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}|fe[89a-f][0-9a-f]|ff[0-9a-f]{2}):/i
/** Loopback, IPv4 inside of IPv6 (RFC 4291, RFC 6052), and the block that discards (RFC 6666). */
const SPECIAL = /^(?:::1$|::(?:ffff:(?:0:)?)?\d+\.|::ffff:[0-9a-f]+:|0{1,4}:0|64:ff9b:|100::)/i

/** All eight groups, most of them of three digits or four: nothing else is written so, whatever its block. */
const WHOLE = /^(?=(?:[^:]*:){0,3}[0-9a-f]{3,4}:[0-9a-f]{3,4}:[0-9a-f]{3,4})[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}$/i
/** `a::b` names things in many programming languages, and `[::2]` is a slice: an address is one that networks use. */
const isAllocated = (address: string): boolean => ALLOCATED.test(address) || SPECIAL.test(address)
