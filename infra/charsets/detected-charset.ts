import iconv from 'iconv-lite'
import { detect } from 'jschardet'

/** Bytes for the detector, whose time grows with its input. */
const MAX_DETECTED = 8_192
/** Bytes that are decoded in each candidate charset. */
const MAX_COMPARED = 1_000

/** Charsets of mail. Accented letters stand alone in the Latin ones, and in sequences in the others. */
const LATIN = ['windows-1252', 'windows-1250', 'ISO-8859-2', 'windows-1254', 'windows-1257']
const OTHERS = [
  ...['windows-1252', 'windows-1251', 'KOI8-R', 'KOI8-U', 'ISO-8859-5', 'windows-1253', 'ISO-8859-7', 'windows-1255'],
  ...['windows-1256', 'SHIFT_JIS', 'CP932', 'EUC-JP', 'GB18030', 'GB2312', 'Big5', 'EUC-KR', 'CP949', 'TIS-620'],
]
const ROW_OF_LETTERS = /[\x80-\xff]{3}/
const ABOVE_ASCII = /[\x80-\xff]/

/** Too short for the detector: a name or a few words, mostly in a western language. */
const SHORT = 24
const WESTERN = /^[\p{ASCII}À-ÖØ-Üà-öø-üßŒœ€£§°«»¿¡“”‘’–—…·]*$/u

/**
 * Characters that no language writes inside, before or after a word, and controls: another charset has letters there.
 */
const ODD =
  /(?<=\p{L})[^\p{L}\p{M}\p{N}\p{ASCII}’‘·‐–—…\u00a0\u00ad]+(?=\p{L})|(?<!\p{L})[£¥¦±³¶¹¼½¾](?=\p{L})|(?<=\p{L})[£¥¦±¶¼½¾](?!\p{L})|(?<=\p{L})ƒ|ƒ(?=\p{L})|[¤\x80-\x9f\ufffd]/gu
/** Number of matches of an expression with the flag `g`. */
export const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0

const BEYOND_ASCII = /[^\p{ASCII}]/gu
/** The letters of languages whose own charset has other letters at the same bytes. */
const LETTERS = [
  'äàâçéèêëïîôöùûüßœ',
  'ąćęłńóśźż',
  'áäčďéěíĺľňóôŕřšťúůýž',
  'áéíóöőúüű',
  'ăâîşţ',
  'čćđšž',
  'ąčęėįšųūž',
].map(letters => new RegExp(`[${letters}${letters.toUpperCase()}‘’‚“”„–—…€°§]`, 'gu'))
const KANA = /[\u3000-\u30ff\uff01-\uff5e]/g

/** Number of characters that no single language explains. */
const strangeIn = (text: string): number =>
  count(text, ODD) +
  count(text, BEYOND_ASCII) -
  Math.max(count(text, KANA), ...LETTERS.map(letters => count(text, letters)))

/** Turkish text decoded as windows-1252. Icelandic shares the letters of the second expression, but uses others too. */
const LIKE_TURKISH = /^[\p{ASCII}çðýöþüâîûÇÐÝÖÞÜÂÎÛ’‘“”–—…«»€]*$/u
const OF_TURKISH = /[ðþÐÞ]/

/** The most likely charset of bytes, given as a string with a character for each byte. */
export const detectedCharset = (latin1: string): string => {
  const from = Math.max(0, latin1.search(ABOVE_ASCII) - 200)
  const bytes = Buffer.from(latin1.slice(from, from + MAX_DETECTED), 'latin1')
  const western = new TextDecoder('windows-1252').decode(bytes)
  const detectOf = (detectEncodings: string[]): string =>
    detect(bytes, { detectEncodings, minimumThreshold: 0 }).encoding ?? 'windows-1252'
  if (LIKE_TURKISH.test(western) && OF_TURKISH.test(western)) return 'windows-1254'
  const hasRows = ROW_OF_LETTERS.test(bytes.toString('latin1'))
  if (!hasRows && latin1.length <= SHORT && WESTERN.test(western)) return 'windows-1252'
  const likeliest = detectOf(hasRows ? OTHERS : LATIN)
  const compared = bytes.subarray(0, MAX_COMPARED)
  // The last character may be cut.
  const readAs = (charset: string): string => iconv.decode(compared, charset).replace(/\ufffd$/, '')
  if (!/^windows-1250$/i.test(likeliest) && count(readAs(likeliest), ODD) === 0) return likeliest
  const candidates = [likeliest, ...LATIN, 'ISO-8859-15', 'SHIFT_JIS', ...(hasRows ? [] : [detectOf(OTHERS)])]
  const strange = candidates.map(charset => strangeIn(readAs(charset)))
  return candidates[strange.indexOf(Math.min(...strange))] ?? likeliest
}
