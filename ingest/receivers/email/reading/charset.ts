import iconv from 'iconv-lite'
import { count, detectedCharset } from '../../../../infra/charsets/detected-charset.ts'

type Decode = (bytes: Buffer) => string

/** Declarations that say nothing: programs write them when they do not know the charset. */
const SAYS_NOTHING = /^(?:us-?ascii|ascii|ansi_x3\.4-1968|(?:x-)?unknown(?:-8bit)?|8bit|7bit|binary|default)?$/
/** Charsets whose bytes are below 128, although they are not ASCII. */
const OF_SEVEN_BITS = /^(?:iso-?2022|utf-?7|utf-?16|ucs-?2|utf-?32|hz)/
/** The escape sequences by which ISO-2022-JP changes its character set. */
const SHIFTS = ['\u001b$@', '\u001b$B', '\u001b$(']

/** Null for an unknown charset. */
const decoderOf = (charset: string): Decode | null => {
  try {
    const decoder = new TextDecoder(charset)
    return bytes => decoder.decode(bytes)
  } catch {
    return iconv.encodingExists(charset) ? bytes => iconv.decode(bytes, charset) : null
  }
}

const MAX_META = 4_096
const ABOVE_ASCII = /[\x80-\xff]/
const META = /<meta\s[^<>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i

const REPLACED = /\ufffd/g
/** The UTF-8 bytes of a replacement character that was in the text already. */
const WRITTEN_REPLACED = /\xef\xbf\xbd/g

const SEQUENCE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g

/** Decodes UTF-8, and each invalid byte as windows-1252. */
const decodeBroken = (latin1: string): string => {
  const western = new TextDecoder('windows-1252')
  return latin1.replace(SEQUENCE, sequence => {
    const bytes = Buffer.from(sequence, 'latin1')
    const text = bytes.toString()
    return text.includes('\ufffd') && sequence !== '\xef\xbf\xbd' ? western.decode(bytes) : text
  })
}

const isMostlyUtf8 = (latin1: string): boolean => {
  let [whole, single] = [0, 0]
  for (const [sequence] of latin1.matchAll(SEQUENCE)) sequence.length > 1 ? whole++ : single++
  return whole > single
}

/**
 * Decodes bytes in the first charset that decodes all of them: that of a byte order mark, the declared one, the one
 * that HTML names, UTF-8, or the detected one. When none does, the charset with the fewest lost characters.
 */
export const readText = (bytes: Buffer, declared: string, isHtml: boolean): string => {
  const latin1 = bytes.toString('latin1')
  const named = declared.trim().toLowerCase()
  if (!ABOVE_ASCII.test(latin1)) {
    const stateful = OF_SEVEN_BITS.test(named)
      ? named
      : SHIFTS.some(shift => latin1.includes(shift))
        ? 'iso-2022-jp'
        : null
    return (stateful === null ? null : decoderOf(stateful))?.(bytes) ?? latin1
  }
  const bom = /^(?:\xff\xfe|\xfe\xff)/.exec(latin1)?.[0]
  const ofMeta = isHtml ? (META.exec(latin1.slice(0, MAX_META))?.[1] ?? '').toLowerCase() : ''
  const ofBom = bom === undefined ? '' : bom === '\xff\xfe' ? 'utf-16le' : 'utf-16be'
  const written = count(latin1, WRITTEN_REPLACED)
  let best: { readonly text: string; readonly lost: number } | null = null
  for (const charset of [ofBom, named, ofMeta, 'utf-8', null]) {
    if (charset !== null && SAYS_NOTHING.test(charset)) continue
    if (charset === null && isMostlyUtf8(latin1)) return decodeBroken(latin1)
    const text = decoderOf(charset ?? detectedCharset(latin1))?.(bytes)
    if (text === undefined) continue
    const lost = count(text, REPLACED) - written
    if (lost <= 0) return text
    if (best === null || lost < best.lost) best = { text, lost }
  }
  return best !== null && best.lost * 100 < best.text.length ? best.text : new TextDecoder('windows-1252').decode(bytes)
}

const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi

/**
 * A header's line with one character for each byte. Encoded words in unknown charsets, and bytes above ASCII, become
 * UTF-8.
 */
export const readableHeader = (line: string): string => {
  const words = line.replace(ENCODED_WORD, (word, charset: string, encoding: string, encoded: string) => {
    if (decoderOf(charset.toLowerCase()) !== null) return word
    const bytes =
      encoding.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64')
        : Buffer.from(
            encoded
              .replaceAll('_', ' ')
              .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          )
    return `=?utf-8?B?${Buffer.from(readText(bytes, '', false)).toString('base64')}?=`
  })
  const first = words.search(ABOVE_ASCII)
  if (first === -1) return words
  // Only the words with bytes above ASCII show the charset.
  const start = words.lastIndexOf(' ', first) + 1
  const last = Array.from(words).findLastIndex(letter => ABOVE_ASCII.test(letter))
  const space = words.indexOf(' ', last)
  const end = space === -1 ? words.length : space
  const read = readText(Buffer.from(words.slice(start, end), 'latin1'), '', false)
  return `${words.slice(0, start)}${Buffer.from(read).toString('latin1')}${words.slice(end)}`
}
