import { BLANK, belongs, hasRightToLeft, selects, TAG_FLAG, UNSEEN } from './invisible.ts'

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
 * The text as whoever looks at it sees it, so that a program reads no more than a person. Nothing that is seen is changed:
 * - what is unseen goes, but for one at a place where its script or an emoji needs it (`invisible.ts` says which);
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

/** Any JSON value with every key and every string in it as `visibleText` has it; the very value where nothing in it is hidden. */
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
export const showsSomething = (text: string): boolean => SEEN.test(text) && SEEN.test(text.replace(SEQUENCES, ''))

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

/** A control character as it can be seen: its picture of U+2400 and on, for one of the upper half a replacement character. */
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
