/**
 * Drawn as nothing by themselves: Unicode's default-ignorable code points, what is spaced or annotated without being
 * seen, controls.
 */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb'

/** Blank, and yet no white space to a program. */
const BLANK = '\\u115f\\u1160\\u2800\\u3164\\uffa0\\u{1d159}'

/** England, Scotland and Wales: the only flags of tag characters that Unicode recommends for interchange. */
const TAG_FLAG =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}'

/** Scripts in which a joiner or a non-joiner changes how letters look. */
const JOINING =
  'Arab|Syrc|Mand|Mani|Nkoo|Phag|Mong|Adlm|Rohg|Sogd|Deva|Beng|Guru|Gujr|Orya|Taml|Telu|Knda|Mlym|Sinh|Khmr|Mymr|Tibt|Java|Bali|Sund|Newa|Tirh|Limb|Cham|Lana|Mtei|Cakm|Sidd|Shrd|Modi|Gran|Kthi'
/** Scripts without spaces, where a break between words is written as nothing. */
const UNSPACED = 'Thai|Laoo|Khmr|Mymr|Tibt|Tale|Talu|Lana|Java|Bali|Tavt|Hani|Hira|Kana'
const RIGHT_TO_LEFT = 'Hebr|Arab|Syrc|Thaa|Nkoo|Samr|Mand|Adlm|Rohg'

const oneOf = (scripts: string): string =>
  scripts
    .split('|')
    .map(script => `\\p{scx=${script}}`)
    .join('')
const regex = (source: string): RegExp => new RegExp(source, 'u')

const LETTER_OF_JOINING = regex(`^(?=[\\p{L}\\p{M}])[${oneOf(JOINING)}]`)
const LETTER_OF_UNSPACED = regex(`^(?=[\\p{L}\\p{M}])[${oneOf(UNSPACED)}]`)
const RIGHT_TO_LEFT_LETTER = regex(`(?=\\p{L})[${oneOf(RIGHT_TO_LEFT)}]`)
const LETTER = /^\p{L}/u
const MARK = /^\p{M}/u
const PICTOGRAPH = /^\p{Extended_Pictographic}/u
const SKIN = /^\p{Emoji_Modifier}/u
const EMOJI = /^\p{Emoji}/u
const KEY = /^[0-9#*]/
const HAN = /^\p{Script=Han}/u
const WIDE_SIGN = /^[\p{Sm}\u2018-\u201d\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]/u
const MONGOLIAN = /^\p{Script=Mongolian}/u

/** A place where unseen code points stand, by the code points around all of them; empty at an end of the text. */
interface CodePointContext {
  readonly before: string
  readonly after: string
  /** Whether the whole text has letters that are written from the right. Asked when it matters. */
  readonly isRightToLeft: () => boolean
}

const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT_LETTER.test(text)

const ZERO_WIDTH_SPACE = 0x200b
const NON_JOINER = 0x200c
const JOINER = 0x200d
const SOFT_HYPHEN = 0xad
const GRAPHEME_JOINER = 0x34f
const MARKS_OF_DIRECTION: ReadonlySet<number> = new Set([0x200e, 0x200f, 0x61c])
const HANGUL_CHOSEONG_FILLER = 0x115f
const HANGUL_JUNGSEONG_FILLER = 0x1160
const MONGOLIAN_VOWEL_SEPARATOR = 0x180e

const isVariation = (code: number): boolean =>
  (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)
const isMongolianVariation = (code: number): boolean => (code >= 0x180b && code <= 0x180d) || code === 0x180f

/**
 * Whether the code point chooses a form of the character before it that Unicode lists, or draws in the family of those
 * that it lists.
 */
const selects = (code: number, { before, after }: CodePointContext): boolean => {
  if (isMongolianVariation(code)) return MONGOLIAN.test(before)
  if (!isVariation(code)) return false
  if (code === 0xfe0e || code === 0xfe0f) return EMOJI.test(before) && (!KEY.test(before) || after === '\u20e3')
  if (code >= 0xe0100) return HAN.test(before)
  return code <= 0xfe02 && (HAN.test(before) || WIDE_SIGN.test(before) || /^\p{Script=Myanmar}/u.test(before))
}

/** Whether one such code point does something here that a reader of the language would miss. */
const belongs = (code: number, place: CodePointContext): boolean => {
  const { before, after, isRightToLeft } = place
  if (code === JOINER && (PICTOGRAPH.test(before) || SKIN.test(before)) && PICTOGRAPH.test(after)) return true
  if (code === JOINER || code === NON_JOINER) return LETTER_OF_JOINING.test(before) || LETTER_OF_JOINING.test(after)
  if (code === ZERO_WIDTH_SPACE) return LETTER_OF_UNSPACED.test(before) && LETTER_OF_UNSPACED.test(after)
  if (code === SOFT_HYPHEN) return LETTER.test(before) && LETTER.test(after)
  if (code === GRAPHEME_JOINER) return MARK.test(before) && MARK.test(after)
  if (MARKS_OF_DIRECTION.has(code)) return isRightToLeft()
  if (code === HANGUL_CHOSEONG_FILLER) return /^[\u1160-\u11a7]/.test(after)
  if (code === HANGUL_JUNGSEONG_FILLER) return /^[\u1100-\u115f]/.test(before)
  if (code === MONGOLIAN_VOWEL_SEPARATOR) return MONGOLIAN.test(before) && MONGOLIAN.test(after)
  return false
}

/** A terminal's control sequence (ECMA-48 section 5.4): colours, a moved cursor, text that a terminal would conceal. */
const CONTROL_SEQUENCE = '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]'
/** A blank letter is a space to whoever sees it. */
const BLANK_LETTER = /^[\u3164\uffa0]/
/** Controls but for a tab and the ends of lines. */
const CONTROL = '(?![\\t\\n\\r])\\p{Cc}'

const HIDDEN = new RegExp(
  `${TAG_FLAG}|${CONTROL_SEQUENCE}|[\\u3164\\uffa0]|(?:(?![\\u3164\\uffa0])[${UNSEEN}])+|${CONTROL}`,
  'gu',
)
const ANY = new RegExp(`[${UNSEEN}]|${CONTROL}`, 'u')
/** Neither are the pictures of control characters: they were never words. */
const SEEN = new RegExp(`[^\\s\\p{Cc}\\p{Surrogate}\\u2400-\\u2421${UNSEEN}${BLANK}]`, 'u')
const SEQUENCES = new RegExp(CONTROL_SEQUENCE, 'gu')

/**
 * The text as whoever looks at it sees it, so that a program reads no more than a person. Nothing that is seen is
 * changed:
 * - what is unseen goes, but for one at a place where its script or an emoji needs it (`belongs` says where);
 * - a terminal's control sequences go, and with them what they would conceal is text like any other;
 * - other control characters are shown by their picture (U+2400 and on), NUL goes, and blank letters are spaces.
 * Linear in the text's length. The answer itself is answered unchanged.
 */
export const visibleText = (text: string): string => {
  if (!ANY.test(text)) return text
  const isRightToLeft = once(() => hasRightToLeft(text))
  /** Where the last control sequence ended: its letters are no letters of the text. */
  let sequenceEnd = 0
  return text.replace(HIDDEN, (found: string, at: number) => {
    const [character = ''] = found
    const end = at + found.length
    if (character === FLAG) return found
    if (BLANK_LETTER.test(character)) return ' '
    if (IS_CONTROL.test(character)) {
      if (found.length === 1) return shown(character)
      sequenceEnd = end
      return ''
    }
    const before = at === sequenceEnd ? '' : codePointBefore(text, at)
    return needed(found, { before: spaced(before), after: spaced(codePointAt(text, end)), isRightToLeft })
  })
}

/**
 * Any JSON value with every key and every string in it as `visibleText` has it; the very value where nothing in it is
 * hidden.
 */
export const visibleJson = <Value>(value: Value): Value => {
  // What is answered has the shape of what was given: the same arrays and objects, of the same kinds of values.
  if (typeof value === 'string') return visibleText(value) as Value
  if (Array.isArray(value)) {
    const items = value.map(visibleJson)
    return items.every((item, index) => item === value[index]) ? value : (items as Value)
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  let changed = false
  const entries = Object.entries(value).map(([key, inner]) => {
    const shown = [visibleText(key), visibleJson(inner)] as const
    changed ||= shown[0] !== key || shown[1] !== inner
    return shown
  })
  return changed ? (Object.fromEntries(entries) as Value) : value
}

const FLAG = '\u{1f3f4}'
const IS_CONTROL = /^\p{Cc}/u

/** Whether anything in the text can be seen. */
export const showsSomething = (text: string): boolean =>
  SEEN.test(text) && (!hasSequence(text) || SEEN.test(text.replace(SEQUENCES, '')))

const hasSequence = (text: string): boolean => text.includes('\u001b') || text.includes('\u009b')

/** Of unseen code points in a row: one that chooses a form of the character before, and one that belongs here. */
const needed = (run: string, place: Parameters<typeof belongs>[1]): string => {
  let selector = ''
  for (const character of run) {
    const code = character.codePointAt(0) ?? 0
    if (selector === '' && selects(code, place)) selector = character
    else if (belongs(code, place)) return selector + character
  }
  return selector
}

const ENDS_A_LINE = /[\v\f\u0085]/

/**
 * A control character as it can be seen: its picture of U+2400 and on, for one of the upper half a replacement
 * character.
 */
const shown = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code === 0) return ''
  if (ENDS_A_LINE.test(character)) return '\n'
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

const spaced = (character: string): string => character.replace(BLANK_LETTER, ' ')

const once = (ask: () => boolean): (() => boolean) => {
  let answer: boolean | undefined
  return () => {
    answer ??= ask()
    return answer
  }
}

const codePointAt = (text: string, at: number): string => {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

const codePointBefore = (text: string, at: number): string => {
  const isPair = at > 1 && /[\udc00-\udfff]/.test(text.charAt(at - 1)) && /[\ud800-\udbff]/.test(text.charAt(at - 2))
  return text.slice(isPair ? at - 2 : Math.max(0, at - 1), at)
}

/**
 * Which code points nobody sees, and where one of them belongs all the same. Sources: Unicode 16, UAX #9, UAX #31, UTS
 * #51.
 */
