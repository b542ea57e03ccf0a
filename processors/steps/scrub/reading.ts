import { occurrences } from './detectors/detector.ts'
import { asciiDigit } from './detectors/digits.ts'
import { type Reading, type Shift, writtenPosition } from './shifts.ts'
import { withSpelledDigits } from './spelled-digits.ts'

const BRACKETED_AT =
  / {0,2}[[({<] ?(?:at|ät|@|arroba|arobase|chiocciola|apenstaartje|małpa|klammeraffe|собака) ?[\])}>] {0,2}/
const BRACKETED_DOT = / {0,2}[[({<] ?(?:dot|\.|punkt|punto|point|ponto|punt|kropka|точка) ?[\])}>] {0,2}/
/** Percent-encoded printable ASCII, also encoded twice or more. */
const IN_URL = /%(?:25){0,3}(?:2[0-46-9a-f]|[3-6][0-9a-f]|7[0-9a-e])/
const TOP_LEVEL = '(?:com|net|org|edu|gov|info|io|co|me|de|fr|es|it|nl|pl|ru|uk|us|eu|at|ch|ca|br|jp|in)(?![\\w-])'
/** The sign in quoted-printable, before a domain. */
const QUOTED_AT = new RegExp(`(?<=[\\p{L}\\d])=40(?=[a-z][a-z\\d-]{1,62}\\.${TOP_LEVEL})`)
/** `_AT_` in capitals before a domain. In small letters it is part of a program's name. */
const UNDERLINED_AT = new RegExp(`(?<=[\\p{L}\\d])_at_(?=[a-z\\d-]{1,63}\\.${TOP_LEVEL})`)
/** `_at_example_dot_`: the dot is a word, too. */
const UNDERLINED = /(?<=[\p{L}\d])[_-]at[_-][a-z\d]{1,63}[_-]dot[_-](?=[a-z]{2,6}(?![\w-]))/u
/** A plus that stands for a space between the digits of a query. */
const PLUS_FOR_SPACE = /(?<=[=+b]\d{1,5})\+(?=\d{2})/
/** Percent-encoded bytes of UTF-8, also encoded repeatedly: one character beyond ASCII. */
const IN_URL_BYTES = /(?:%(?:25){0,3}[89a-f][0-9a-f]){2,4}/
const IN_MARKUP =
  /&#(?:x[0-9a-f]{2,8}|\d{2,9});|&(?:commat|period|nbsp|plus|colon|hyphen|dash|lowbar|lpar|rpar|lsqb|rsqb|lt|gt|shy|zwj|zwnj);/
const IN_JSON = /\\u(?:[0-9a-f]{4}|\{[0-9a-f]{2,6}\})|\\x[2-7][0-9a-f]|\\[nrt"]/
/** Composed signs: small, raised, circled, in parentheses, with a dot. */
const COMPOSED =
  /[\u2024\u207a\u207b\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792\ufe50\ufe52\ufe55\ufe59\ufe5a\ufe62\ufe6b]|[\u{1f100}-\u{1f10c}]|[\u00b2\u00b3\u00b9\u2070\u2074-\u2079](?=[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]{2})|(?<=[\u00b2\u00b3\u00b9\u2070\u2074-\u2079])[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]|[\u2080-\u2089]|(?<=[\p{L}\d._%+-])[\u24d0\u24b6](?=[\p{L}\d-]{1,63}\.[\p{L}])/u
const UNSEEN = /\u034f|\ufe0f|\u20e3|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/
const SPACE = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/
const DASH = /[\u2010-\u2015\u2212\ufe58\ufe63]/
const WIDE = /[\uff01-\uff5e。｡]/
const DIGIT = /(?![0-9])\p{Nd}/u

const union = (...patterns: readonly RegExp[]): string => patterns.map(({ source }) => `(?:${source})`).join('|')
const BEYOND_ASCII = union(UNSEEN, SPACE, DASH, WIDE, COMPOSED, DIGIT)

/** The first sign of each group of masks. A group is searched only when the text has its sign. */
const MASKS: readonly (readonly [sign: RegExp, masks: string])[] = [
  [/[[({<]/, union(BRACKETED_AT, BRACKETED_DOT)],
  [/%/, union(IN_URL, IN_URL_BYTES)],
  [/\+/, union(PLUS_FOR_SPACE)],
  [/=40|[_-]at[_-]/i, union(QUOTED_AT, UNDERLINED_AT, UNDERLINED)],
  [/&/, union(IN_MARKUP)],
  [/\\/, union(IN_JSON)],
  [/[^\0-\x7f]/, `(?=[^\\0-\\x7f])(?:${BEYOND_ASCII})`],
]

/** A pattern for each set of mask groups, by a bit for each group. The pattern of the empty set is never used. */
const PATTERNS = Array.from({ length: 1 << MASKS.length }, (_, bits) => {
  const wanted = MASKS.flatMap(([, masks], place) => ((bits >> place) & 1 ? [masks] : []))
  return new RegExp(wanted.join('|'), 'giu')
})
const patternFor = (text: string): RegExp | undefined => {
  const bits = MASKS.reduce((sum, [sign], place) => sum | (sign.test(text) ? 1 << place : 0), 0)
  return bits === 0 ? undefined : PATTERNS[bits]
}

const OF_MASK = /[%&\\[\](){}<>#;]|[^\0-\x7f]/

const NAMED: Readonly<Record<string, string>> = {
  commat: '@',
  period: '.',
  nbsp: ' ',
  plus: '+',
  colon: ':',
  hyphen: '-',
  dash: '-',
  lowbar: '_',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  rsqb: ']',
  lt: '<',
  gt: '>',
  shy: '',
  zwj: '',
  zwnj: '',
}

/** Layers of encoding that are undone: an encoding inside of a link's encoding, twice. */
const MAX_LAYERS = 4

/**
 * Undoes what hides an address or a number from a program and not from its reader: encodings of links, markup and JSON,
 * also nested; digits and signs of other scripts, widths and forms; characters without a width; `[at]` and `(dot)`;
 * digits in words. Linear in the text's length.
 */
export const reading = (written: string): Reading => {
  let read: Reading = { text: written, at: position => position }
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const { text, at, maskedAgain } = unmaskedOnce(read.text)
    const before = read
    read = text === before.text ? before : { text, at: position => before.at(at(position)) }
    if (!maskedAgain) break
  }
  return withSpelledDigits(read)
}

/** Removes one layer of masks. Its result may be a part of another mask. */
const unmaskedOnce = (written: string): Reading & { readonly maskedAgain: boolean } => {
  const pattern = patternFor(written)
  if (pattern === undefined) return { text: written, at: position => position, maskedAgain: false }
  let maskedAgain = false
  let text = ''
  let copied = 0
  /** Positions where the reading and the written text shift against each other. */
  const shifts: Shift[] = [{ from: 0, written: 0 }]
  for (const { 0: masked, index } of occurrences(pattern, written)) {
    const plain = unmasked(masked)
    if (plain === masked) continue
    if (OF_MASK.test(plain)) maskedAgain = true
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
  if (copied === 0) return { text: written, at: position => position, maskedAgain: false }
  return { text: text + written.slice(copied), at: position => writtenPosition(shifts, position), maskedAgain }
}

const unmasked = (masked: string): string => {
  const [first = ''] = masked
  if (masked === '+') return ' '
  if (masked === '=40') return '@'
  if (/^[_-]at[_-]/i.test(masked)) return fromUnderlined(masked)
  if (first === '%' && BYTES.test(masked)) return fromBytes(masked)
  if (first === '%') return String.fromCharCode(Number.parseInt(masked.slice(-2), 16))
  if (first === '&') return fromEntity(masked.slice(1, -1))
  if (first === '\\') return fromEscape(masked)
  if (COMPOSED_ONLY.test(masked)) return simple(masked)
  if (UNSEEN.test(masked)) return ''
  if (SPACE.test(first)) return ' '
  if (DASH.test(first)) return '-'
  if (masked === '。' || masked === '｡') return '.'
  if (WIDE.test(first)) return String.fromCharCode(masked.charCodeAt(0) - 0xfee0)
  if (DIGIT.test(masked)) return asciiDigit(masked)
  return BRACKETED_AT_ONLY.test(masked) ? '@' : '.'
}

const fromUnderlined = (masked: string): string => {
  if (masked.length === 4) return masked === '_AT_' ? '@' : masked
  return `@${masked.slice(4, -5)}.`
}

const BYTES = new RegExp(`^${IN_URL_BYTES.source}$`, 'i')
const COMPOSED_ONLY =
  /^(?:[\u00b2\u00b3\u00b9\u2024\u2070-\u207b\u2080-\u2089\u2460-\u2490\u24b6\u24d0\u24ea\u24f5-\u24ff\u2776-\u2792\ufe50-\ufe6b]|\ud83c[\udd00-\udd0c])$/

const fromBytes = (masked: string): string => {
  try {
    return decodeURIComponent(masked.replace(/%(?:25)+/g, '%'))
  } catch {
    return masked
  }
}

/** An escape of JSON or JavaScript; a line end stays one. */
const fromEscape = (masked: string): string => {
  const code = /^\\[ux]\{?([0-9a-f]+)/i.exec(masked)?.[1]
  if (code !== undefined) return signOf(Number.parseInt(code, 16))
  return /^\\[nr]$/.test(masked) ? '\n' : ' '
}

/** Circled and other digits that Unicode does not decompose: the first of each row, and 0 or 1 for its value. */
const DINGBATS = [
  [0x2776, 1],
  [0x2780, 1],
  [0x278a, 1],
  [0x24f5, 1],
  [0x24ff, 0],
  [0x1f10b, 0],
  [0x1f10c, 0],
] as const

/** The simple sign of a composed one. */
const simple = (composed: string): string => {
  if (composed === '\u24d0' || composed === '\u24b6') return '@'
  const code = composed.codePointAt(0) ?? 0
  const own = DINGBATS.find(([from, digit]) => code >= from && code < from + (digit === 0 ? 1 : 9))
  if (own !== undefined) return String(own[1] + code - own[0])
  const plain = composed
    .normalize('NFKC')
    .replace(/[().,]/g, sign => (composed === '\ufe50' || /^[\u2024\ufe52]$/.test(composed) ? sign : ''))
  return plain === '' ? composed : plain.replace('\u2212', '-')
}

const BRACKETED_AT_ONLY = new RegExp(BRACKETED_AT.source, 'i')

const fromEntity = (name: string): string => {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? ' '
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return signOf(code)
}

/**
 * The character of a code. A line end stays; a code without a character is a space. Half of a surrogate pair stays,
 * since its other half may follow.
 */
const signOf = (code: number): string => {
  if (code === 0x0a || code === 0x0d) return '\n'
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code > 0x10ffff ? ' ' : String.fromCodePoint(code)
}
