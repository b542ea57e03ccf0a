/**
 * Characters that are not drawn: Unicode's default-ignorable code points, and characters for direction and annotation.
 */
const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb'

/** Characters that look blank and are no white space for a program. */
const BLANK = '\\u115f\\u1160\\u2800\\u3164\\uffa0\\u{1d159}'

/** The flags of England, Scotland and Wales, the only tag sequences that Unicode recommends. */
const TAG_FLAG =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}'

/** Scripts in which a joiner or non-joiner changes the look of letters. */
const JOINING =
  'Arab|Syrc|Mand|Mani|Nkoo|Phag|Mong|Adlm|Rohg|Sogd|Deva|Beng|Guru|Gujr|Orya|Taml|Telu|Knda|Mlym|Sinh|Khmr|Mymr|Tibt|Java|Bali|Sund|Newa|Tirh|Limb|Cham|Lana|Mtei|Cakm|Sidd|Shrd|Modi|Gran|Kthi'
/** Scripts without spaces, in which a zero-width space separates words. */
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

/** The code points around a run of unseen code points; empty at an end of the text. */
interface CodePointContext {
  readonly before: string
  readonly after: string
  /** True when the whole text has right-to-left letters. Computed only when needed. */
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
 * True when the code point selects a listed variant of the character before, or a variant in a listed character's
 * family.
 */
const selects = (code: number, { before, after }: CodePointContext): boolean => {
  if (isMongolianVariation(code)) return MONGOLIAN.test(before)
  if (!isVariation(code)) return false
  if (code === 0xfe0e || code === 0xfe0f) return EMOJI.test(before) && (!KEY.test(before) || after === '\u20e3')
  if (code >= 0xe0100) return HAN.test(before)
  return code <= 0xfe02 && (HAN.test(before) || WIDE_SIGN.test(before) || /^\p{Script=Myanmar}/u.test(before))
}

/** True when a reader would miss the unseen code point here. */
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

/** A terminal's control sequence (ECMA-48 section 5.4), for colours, cursor moves and hidden text. */
const CONTROL_SEQUENCE = '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]'
/** Letters that look like a space. */
const BLANK_LETTER = /^[\u3164\uffa0]/
/** Control characters except tab and line ends. */
const CONTROL = '(?![\\t\\n\\r])\\p{Cc}'

const HIDDEN = new RegExp(
  `${TAG_FLAG}|${CONTROL_SEQUENCE}|[\\u3164\\uffa0]|(?:(?![\\u3164\\uffa0])[${UNSEEN}])+|${CONTROL}`,
  'gu',
)
const ANY = new RegExp(`[${UNSEEN}]|${CONTROL}`, 'u')
/** Pictures of control characters do not count: they were never words. */
const SEEN = new RegExp(`[^\\s\\p{Cc}\\p{Surrogate}\\u2400-\\u2421${UNSEEN}${BLANK}]`, 'u')
const SEQUENCES = new RegExp(CONTROL_SEQUENCE, 'gu')

/**
 * The text as a person sees it, so that a program reads no more than a person. Seen characters are unchanged, except:
 * - unseen characters are removed, unless the script or an emoji needs them there (see `belongs`);
 * - a terminal's control sequences are removed, and the text that they would hide stays;
 * - other control characters become their pictures (U+2400 and on), NUL is removed, blank letters become spaces.
 * Linear in the length; the result contains nothing more to change.
 */
export const visibleText = (text: string): string => {
  if (!ANY.test(text)) return text
  const isRightToLeft = once(() => hasRightToLeft(text))
  /** The end of the last control sequence, whose letters do not count as neighbours. */
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

/** Applies `visibleText` to every key and string of a JSON value. Returns the same value where nothing is hidden. */
export const visibleJson = <Value>(value: Value): Value => {
  // The result has the same shape: the same arrays and objects of the same kinds of values.
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

/** True when any character of the text can be seen. */
export const showsSomething = (text: string): boolean =>
  SEEN.test(text) && (!hasSequence(text) || SEEN.test(text.replace(SEQUENCES, '')))

const hasSequence = (text: string): boolean => text.includes('\u001b') || text.includes('\u009b')

/** The needed part of a run of unseen code points: at most a variation selector, and one that belongs here. */
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

/** The visible form of a control character: its picture (U+2400 and on); a replacement character for the upper half. */
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
 * The unseen code points, and the places where one belongs nevertheless. Sources: Unicode 16, UAX #9, UAX #31, UTS #51.
 */
