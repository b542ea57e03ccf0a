import { occurrences } from './detectors/detector.ts'
import { asciiDigit } from './detectors/digits.ts'

/**
 * A text as a person reads it, for the detectors; `at` leads each of its positions back to the text as it is written.
 */
export interface Reading {
  readonly text: string
  readonly at: (position: number) => number
}

const BRACKETED_AT =
  / {0,2}[[({] ?(?:at|ät|@|arroba|arobase|chiocciola|apenstaartje|małpa|klammeraffe|собака) ?[\])}] {0,2}/
const BRACKETED_DOT = / {0,2}[[({] ?(?:dot|\.|punkt|punto|point|ponto|punt|kropka|точка) ?[\])}] {0,2}/
/**
 * Percent-encoded printable ASCII, also encoded twice or more; and the plus that stands for a space between the digits
 * of a query.
 */
const IN_URL = /%(?:25){0,3}(?:2[0-46-9a-f]|[3-6][0-9a-f]|7[0-9a-e])|(?<=[=+b]\d{1,5})\+(?=\d{2})/
const IN_MARKUP = /&#(?:x[2-7][0-9a-f]|\d{2,3});|&(?:commat|period|nbsp|plus|colon|hyphen|dash);/
const IN_JSON = /\\u00[2-7][0-9a-f]|\\[nrt"]/
const UNSEEN = /\u034f|\ufe0f|\u20e3|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/
const SPACE = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/
const DASH = /[\u2010-\u2015\u2212\ufe58\ufe63]/
const WIDE = /[\uff01-\uff5e。｡]/
const DIGIT = /(?![0-9])\p{Nd}/u

const MASKED = new RegExp(
  [BRACKETED_AT, BRACKETED_DOT, IN_URL, IN_MARKUP, IN_JSON, UNSEEN, SPACE, DASH, WIDE, DIGIT]
    .map(({ source }) => source)
    .join('|'),
  'giu',
)
const MAY_BE_MASKED = /[^\0-\x7f]|[%&\\[({+]/

const NAMED: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  nbsp: ' ',
  plus: '+',
  colon: ':',
  hyphen: '-',
  dash: '-',
}

/**
 * Undoes what hides an address or a number from a machine and not from its reader: encodings of links, markup and JSON,
 * digits and signs of other scripts and widths, characters without a width, `[at]` and `(dot)`. Linear in the text's
 * length.
 */
export const reading = (written: string): Reading => {
  if (!MAY_BE_MASKED.test(written)) return { text: written, at: position => position }
  let text = ''
  let copied = 0
  /** Where the reading and the written text shift against each other. */
  const shifts: { readonly from: number; readonly written: number }[] = [{ from: 0, written: 0 }]
  for (const { 0: masked, index } of occurrences(MASKED, written)) {
    const plain = unmasked(masked)
    if (plain === masked) continue
    text += written.slice(copied, index)
    copied = index + masked.length
    if (plain.length === masked.length) {
      text += plain
      continue
    }
    if (plain !== '') shifts.push({ from: text.length, written: index })
    text += plain
    shifts.push({ from: text.length, written: copied })
  }
  if (copied === 0) return { text: written, at: position => position }
  return { text: text + written.slice(copied), at: position => writtenPosition(shifts, position) }
}

const unmasked = (masked: string): string => {
  const [first = ''] = masked
  if (masked === '+') return ' '
  if (first === '%') return String.fromCharCode(Number.parseInt(masked.slice(-2), 16))
  if (first === '&') return fromEntity(masked.slice(1, -1))
  if (first === '\\') return masked[1] === 'u' ? String.fromCharCode(Number.parseInt(masked.slice(2), 16)) : ' '
  if (UNSEEN.test(masked)) return ''
  if (SPACE.test(first)) return ' '
  if (DASH.test(first)) return '-'
  if (masked === '。' || masked === '｡') return '.'
  if (WIDE.test(first)) return String.fromCharCode(masked.charCodeAt(0) - 0xfee0)
  if (DIGIT.test(masked)) return asciiDigit(masked)
  return BRACKETED_AT_ONLY.test(masked) ? '@' : '.'
}

const BRACKETED_AT_ONLY = new RegExp(BRACKETED_AT.source, 'i')

const fromEntity = (name: string): string => {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? ' '
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ' '
}

/** The last shift at or before a position tells how far apart the two are there. */
const writtenPosition = (
  shifts: readonly { readonly from: number; readonly written: number }[],
  position: number,
): number => {
  let low = 0
  let high = shifts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((shifts[middle]?.from ?? 0) <= position) low = middle
    else high = middle - 1
  }
  const shift = shifts[low]
  return shift === undefined ? position : shift.written + (position - shift.from)
}
