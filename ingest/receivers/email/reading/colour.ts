import { color, serializeRGB } from '@csstools/css-color-parser'
import { parseComponentValue } from '@csstools/css-parser-algorithms'
import { tokenize } from '@csstools/css-tokenizer'

/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export const BLACK: Colour = [0, 0, 0, 1]
export const WHITE: Colour = [255, 255, 255, 1]

/** System colours, with their usual values. */
const OF_SYSTEM: Readonly<Record<string, Colour>> = {
  ...Object.fromEntries(
    ['canvas', 'field', 'window', 'background', 'infobackground', 'menu'].map(name => [name, WHITE]),
  ),
  ...Object.fromEntries(
    ['canvastext', 'fieldtext', 'windowtext', 'buttontext', 'text', 'menutext'].map(name => [name, BLACK]),
  ),
  buttonface: [240, 240, 240, 1],
  threedface: [240, 240, 240, 1],
  linktext: [0, 0, 238, 1],
}

/** Limit of a colour's length: parsing nested functions takes time by their depth. */
const MAX_COLOUR_LENGTH = 300
const SERIALIZED = /^rgba?\((\d{1,3}), (\d{1,3}), (\d{1,3})(?:, ([\d.]{1,12}))?\)$/

/** A colour of CSS Color 5 in lower case; null for an invalid colour, or one that depends on the reader's settings. */
export const parseColour = (text: string): Colour | null => {
  if (text.length > MAX_COLOUR_LENGTH) return null
  if (Object.hasOwn(OF_SYSTEM, text)) return OF_SYSTEM[text] ?? null
  const value = parseComponentValue(tokenize({ css: text }))
  const parsed = value === undefined ? false : color(value)
  if (parsed === false) return null
  const [, red, green, blue, alpha = '1'] = SERIALIZED.exec(String(serializeRGB(parsed))) ?? []
  return red === undefined ? null : [Number(red), Number(green), Number(blue), Number(alpha)]
}

/** A colour in an attribute of old HTML, which may lack the `#`. */
export const attributeColour = (value: string): string => {
  const text = value.trim().toLowerCase()
  return /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/.test(text) ? `#${text}` : text
}

/** The visible colour of a transparent colour over another. */
export const blend = ([red, green, blue, alpha]: Colour, below: Colour, opacity = 1): Colour => {
  const share = alpha * opacity
  return [
    red * share + below[0] * (1 - share),
    green * share + below[1] * (1 - share),
    blue * share + below[2] * (1 - share),
    1,
  ]
}

/** Relative luminance (WCAG 2, https://www.w3.org/TR/WCAG21/#dfn-relative-luminance). */
const luminance = ([red, green, blue]: Colour): number => {
  const linear = (channel: number): number => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast ratio from 1, the same colour, to 21 (WCAG 2, https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio). */
const contrast = (one: Colour, other: Colour): number => {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

/** Minimum contrast of visible text. Light grey (#e8e8e8) on white has 1.23; readable text has 4.5. */
const LEAST_CONTRAST = 1.2
/** Minimum distance of a channel, for colours of the same lightness such as red on green. */
const LEAST_DISTANCE = 48

/** True when a person can tell text of one colour from a background of the other. */
export const differ = (text: Colour, background: Colour): boolean => {
  const shown = blend(text, background)
  if (contrast(shown, background) >= LEAST_CONTRAST) return true
  return Math.max(...[0, 1, 2].map(i => Math.abs((shown[i] ?? 0) - (background[i] ?? 0)))) >= LEAST_DISTANCE
}
