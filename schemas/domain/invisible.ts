/** Which code points nobody sees, and where one of them belongs all the same. Sources: Unicode 16, UAX #9, UAX #31, UTS #51. */

/** Drawn as nothing by themselves: Unicode's default-ignorable code points, what is spaced or annotated without being seen, controls. */
export const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\p{Bidi_Control}\\ufff9-\\ufffb'

/** Blank, and yet no white space to a program. */
export const BLANK = '\\u115f\\u1160\\u2800\\u3164\\uffa0\\u{1d159}'

/** England, Scotland and Wales: the only flags of tag characters that Unicode recommends for interchange. */
export const TAG_FLAG =
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
export interface CodePointContext {
  readonly before: string
  readonly after: string
  /** Whether the whole text has letters that are written from the right. Asked when it matters. */
  readonly isRightToLeft: () => boolean
}

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT_LETTER.test(text)

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

/** Whether the code point chooses a form of the character before it that Unicode lists, or draws in the family of those that it lists. */
export const selects = (code: number, { before, after }: CodePointContext): boolean => {
  if (isMongolianVariation(code)) return MONGOLIAN.test(before)
  if (!isVariation(code)) return false
  if (code === 0xfe0e || code === 0xfe0f) return EMOJI.test(before) && (!KEY.test(before) || after === '\u20e3')
  if (code >= 0xe0100) return HAN.test(before)
  return code <= 0xfe02 && (HAN.test(before) || WIDE_SIGN.test(before) || /^\p{Script=Myanmar}/u.test(before))
}

/** Whether one such code point does something here that a reader of the language would miss. */
export const belongs = (code: number, place: CodePointContext): boolean => {
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
