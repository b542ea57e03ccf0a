import { isIPv6 } from 'node:net'
import { occurrences, type Span } from './detector.ts'

const HEX_AND_COLONS = /(?<![0-9a-f])[0-9a-f]*(?::[0-9a-f.]*){2,}/gi
const MAX_LENGTH = 45
const MAX_PORT_LENGTH = 6
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** `:443` or `.443`: a port that the address is complete without. */
const PORT = /[:.]\d{1,5}$/
/** Two groups at least: `fd00::call` is a name in a program. */
const TWO_GROUPS = /[^:]:{1,2}[^:]|^::/

export function* ipv6(text: string): Iterable<Span> {
  for (const { 0: run, index } of occurrences(HEX_AND_COLONS, text)) {
    const span = addressWithin(text, index, run)
    if (span !== null) yield span
  }
}

/**
 * The address in a run of hexadecimal digits, colons and dots, without punctuation, a label (`IP:`), a port or its
 * service's name.
 */
const addressWithin = (text: string, offset: number, run: string): Span | null => {
  let start = offset
  let end = offset + run.length
  const hasWordBehind = LETTER_OR_DIGIT.test(text[end] ?? '') || text[end] === '_'
  // The run may contain the first letters of a service, such as `https` in `2001:db8::1.https`.
  if (hasWordBehind) end = offset + Math.max(run.lastIndexOf(':'), run.lastIndexOf('.'))
  while (end > start && (text[end - 1] === '.' || (text[end - 1] === ':' && text[end - 2] !== ':'))) end -= 1
  // The run may contain the last letter of a label, such as `e` in `Adresse:`. The letter and the colon are removed.
  if (LETTER_OR_DIGIT.test(text[start - 1] ?? '')) start = text.indexOf(':', start) + 1
  else if (text[start] === ':' && text[start + 1] !== ':') start += 1
  if (end - start > MAX_LENGTH + MAX_PORT_LENGTH) return null
  const written = text.slice(start, end)
  if (hasWordBehind && !TWO_GROUPS.test(written)) return null
  if (isAddress(written) || (hasWordBehind && isCutOff(written))) return { start, end }
  const bare = written.replace(PORT, '')
  return bare !== written && (isAddress(bare) || isCutOff(bare)) ? { start, end: start + bare.length } : null
}

const isAddress = (written: string): boolean =>
  written.length <= MAX_LENGTH && isIPv6(written) && (isAllocated(written) || WHOLE.test(written))

/**
 * Blocks in IANA's IPv6 address space registry: global unicast, unique local, link local and multicast, with four
 * digits in the first group.
 */
const ALLOCATED = /^(?:[23][0-9a-f]{3}|f[cd][0-9a-f]{2}|fe[89a-f][0-9a-f]|ff[0-9a-f]{2}):/i
/** Loopback, IPv4 inside of IPv6 (RFC 4291, RFC 6052), and the discard block (RFC 6666). */
const SPECIAL = /^(?:::1$|::(?:ffff:(?:0:)?)?\d+\.|::ffff:[0-9a-f]+:|0{1,4}:0|64:ff9b:|100::)/i

/** Eight groups, most of three or four digits: in any block, nothing else is written like this. */
const WHOLE = /^(?=(?:[^:]*:){0,3}[0-9a-f]{3,4}:[0-9a-f]{3,4}:[0-9a-f]{3,4})[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}$/i
/** True when networks use the address. `a::b` is a name in many programming languages, and `[::2]` a slice. */
const isAllocated = (address: string): boolean => ALLOCATED.test(address) || SPECIAL.test(address)

/**
 * A global or link-local address whose end netstat cut off for the port. Its first four groups identify a household.
 * The letter excludes times and dates.
 */
const CUT_OFF =
  /^(?=[\d:]{0,40}[a-f])(?:[23][0-9a-f]{3}(?::[0-9a-f]{1,4}){3,6}|fe80::[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){1,3}):?$/i
const isCutOff = (written: string): boolean => CUT_OFF.test(written)
