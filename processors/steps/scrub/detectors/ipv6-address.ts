import { isIPv6 } from 'node:net'
import { occurrences, type Span } from './detector.ts'

const HEX_AND_COLONS = /(?<![0-9a-f])[0-9a-f]*(?::[0-9a-f.]*){2,}/gi
const MAX_LENGTH = 45
const MAX_PORT_LENGTH = 6
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** `:443` or `.443`, which the address does not need to be one. */
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
 * The address in a run of hexadecimal digits, colons and dots, without what is around it: punctuation, the label
 * (`IP:`), the port or its service's name, glued to it as log lines do.
 */
const addressWithin = (text: string, offset: number, run: string): Span | null => {
  let start = offset
  let end = offset + run.length
  const hasWordBehind = LETTER_OR_DIGIT.test(text[end] ?? '') || text[end] === '_'
  // `https` of `2001:db8::1.https`, of which a run may have taken the first letters in.
  if (hasWordBehind) end = offset + Math.max(run.lastIndexOf(':'), run.lastIndexOf('.'))
  while (end > start && (text[end - 1] === '.' || (text[end - 1] === ':' && text[end - 2] !== ':'))) end -= 1
  // `e` of `Adresse:` is a hexadecimal digit: what belongs to a word goes, with the colon after it.
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

/**
 * A global or link-local address whose end netstat cut off to have room for the port. Its first four groups are a
 * household's. No time or date has a letter.
 */
const CUT_OFF =
  /^(?=[\d:]{0,40}[a-f])(?:[23][0-9a-f]{3}(?::[0-9a-f]{1,4}){3,6}|fe80::[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){1,3}):?$/i
const isCutOff = (written: string): boolean => CUT_OFF.test(written)
