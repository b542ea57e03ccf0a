import type { Declarations } from './css.ts'

/** Red, green and blue from 0 to 255, and how much of it covers what is below, 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number, alpha: number]

const BLACK: Colour = [0, 0, 0, 1]
const WHITE: Colour = [255, 255, 255, 1]

/** The names that mails use; another name is a colour that is not known here. */
const NAMES: Readonly<Record<string, Colour>> = {
  black: BLACK,
  white: WHITE,
  transparent: [0, 0, 0, 0],
  red: [255, 0, 0, 1],
  green: [0, 128, 0, 1],
  blue: [0, 0, 255, 1],
  yellow: [255, 255, 0, 1],
  gray: [128, 128, 128, 1],
  grey: [128, 128, 128, 1],
  silver: [192, 192, 192, 1],
  navy: [0, 0, 128, 1],
  snow: [255, 250, 250, 1],
  ivory: [255, 255, 240, 1],
  whitesmoke: [245, 245, 245, 1],
  ghostwhite: [248, 248, 255, 1],
  floralwhite: [255, 250, 240, 1],
  azure: [240, 255, 255, 1],
  mintcream: [245, 255, 250, 1],
}

const HEX = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/
const FUNCTION = /^(rgb|hsl)a?\(\s*([\d.]+)(%|deg)?[\s,]+([\d.]+)(%?)[\s,]+([\d.]+)(%?)(?:[\s,/]+([\d.]+)(%?))?\s*\)$/

/** A colour of CSS or of an attribute, in lower case; null for one that cannot be told. */
const parseColour = (text: string): Colour | null => {
  const value = text.trim()
  if (Object.hasOwn(NAMES, value)) return NAMES[value] ?? null
  const hex = HEX.exec(value)?.[1]
  if (hex !== undefined) return ofHex(hex)
  const found = FUNCTION.exec(value)
  if (found === null) return null
  const [, kind, first, , second, , third, thirdUnit, alpha, alphaUnit] = found
  const opacity = alpha === undefined ? 1 : Number(alpha) / (alphaUnit === '%' ? 100 : 1)
  const [a, b, c] = [Number(first), Number(second), Number(third)]
  if (kind === 'hsl') return [...ofHsl(a, b / 100, c / 100), opacity]
  const scale = thirdUnit === '%' ? 2.55 : 1
  return [a * scale, b * scale, c * scale, opacity]
}

const ofHex = (hex: string): Colour => {
  const pairs = hex.length <= 4 ? Array.from(hex, digit => digit + digit) : (hex.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map(pair => Number.parseInt(pair, 16))
  return [red, green, blue, alpha / 255]
}

const ofHsl = (hue: number, saturation: number, lightness: number): readonly [number, number, number] => {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number): number => {
    const k = (offset + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}

/** What is seen of a colour that lies over another. */
const blend = ([red, green, blue, alpha]: Colour, below: Colour): Colour => [
  red * alpha + below[0] * (1 - alpha),
  green * alpha + below[1] * (1 - alpha),
  blue * alpha + below[2] * (1 - alpha),
  1,
]

/** Relative luminance, WCAG 2. */
const luminance = ([red, green, blue]: Colour): number => {
  const linear = (channel: number): number => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast from 1 (the same) to 21, WCAG 2. */
const contrast = (one: Colour, other: Colour): number => {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

/** Light grey on white, #e8e8e8, has 1.23; whoever writes to be read has 4.5. */
const LEAST_CONTRAST = 1.2
/** Colours of one lightness, such as red on green, are told apart by their channels. */
const LEAST_DISTANCE = 48

/** Whether a person can tell text of one colour from a background of the other. */
const differ = (text: Colour, background: Colour): boolean => {
  const shown = blend(text, background)
  if (contrast(shown, background) >= LEAST_CONTRAST) return true
  return Math.max(...[0, 1, 2].map(i => Math.abs((shown[i] ?? 0) - (background[i] ?? 0)))) >= LEAST_DISTANCE
}

/** How text looks at a place of a mail; what is inside of an element begins with the look of it. */
export interface TextStyle {
  /** Nothing inside can be seen, whatever it says of itself. */
  readonly hidden: boolean
  readonly visible: boolean
  /** In pixels. */
  readonly size: number
  readonly colour: Colour
  /** Null where a picture lies below the text, or a colour that is not known here. */
  readonly background: Colour | null
}

export const DEFAULT_STYLE: TextStyle = { hidden: false, visible: true, size: 16, colour: BLACK, background: WHITE }

/** Smaller than any letter that can be read. */
const LEAST_SIZE = 2
const LEAST_OPACITY = 0.05
/** Further out than a screen is wide. */
const OFF_SCREEN = -500

/** Whether a person sees text that looks so. */
export const isVisible = ({ hidden, visible, size, colour, background }: TextStyle): boolean =>
  !hidden &&
  visible &&
  size >= LEAST_SIZE &&
  (background === null ? colour[3] > LEAST_OPACITY : differ(colour, background))

/** The look inside of an element that declares this, around which is the outer one. */
export const styleInside = (outer: TextStyle, declared: Declarations): TextStyle => {
  const declarations = new Map<string, string>()
  for (const important of [false, true])
    for (const [property, value, isImportant] of declared)
      if (isImportant === important) declarations.set(property, value)
  const value = (property: string): string => declarations.get(property) ?? ''
  return {
    hidden: outer.hidden || isHidden(value),
    visible: visibility(value('visibility')) ?? outer.visible,
    size: sizeOf(value('font-size') || fontSizeIn(value('font')), outer.size),
    colour: parseColour(value('color')) ?? outer.colour,
    background: backgroundOf(value, outer.background),
  }
}

const visibility = (value: string): boolean | null => {
  if (value === 'hidden' || value === 'collapse') return false
  return value === 'visible' ? true : null
}

const isHidden = (value: (property: string) => string): boolean =>
  value('display') === 'none' ||
  value('mso-hide') === 'all' ||
  value('content-visibility') === 'hidden' ||
  (value('opacity') !== '' && Number.parseFloat(value('opacity')) <= LEAST_OPACITY) ||
  /^0(?![.\d]*[1-9])/.test(value('max-height')) ||
  (/hidden|clip/.test(value('overflow')) &&
    ['height', 'width', 'max-width'].some(side => /^0(?![.\d]*[1-9])/.test(value(side)))) ||
  ['text-indent', 'margin-left', 'margin-top', 'left', 'top'].some(side => pixels(value(side)) <= OFF_SCREEN) ||
  ['right', 'bottom'].some(side => /absolute|fixed/.test(value('position')) && pixels(value(side)) <= OFF_SCREEN) ||
  /scale[xy]?\( ?0?\.?0*[,)]|translate[3xyz]?d?\( ?-\d{4}/.test(value('transform')) ||
  /^rect\( ?(0|1px)[ ,]/.test(value('clip')) ||
  /inset\( ?(50|100)%/.test(value('clip-path'))

const LENGTH = /^(-?(?:\d+(?:\.\d+)?|\.\d+))(px|pt|em|rem|ex|ch|%|vw|vh|cm|mm|in)?/

const UNITS: Readonly<Record<string, number>> = {
  pt: 4 / 3,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  vw: 8,
  vh: 8,
  cm: 38,
  mm: 3.8,
  in: 96,
}

const pixels = (length: string): number => {
  const [, number, unit = 'px'] = LENGTH.exec(length) ?? []
  return number === undefined ? 0 : Number(number) * (UNITS[unit] ?? 1)
}

const sizeOf = (value: string, outer: number): number => {
  const [, number, unit] = LENGTH.exec(value) ?? []
  if (number === undefined)
    return /^((?:x{1,2}-)?small|medium|(?:x{1,3}-)?large|initial)$/.test(value) ? DEFAULT_STYLE.size : outer
  if (unit === 'em' || unit === '%') return Number(number) * (unit === '%' ? outer / 100 : outer)
  return pixels(value)
}

/** The size in the shorthand `font`, such as `italic 12px/1.5 serif`. */
const fontSizeIn = (font: string): string =>
  font
    .split(' ')
    .slice(0, -1)
    .map(word => word.split('/', 1)[0] ?? '')
    .find(word => /^(?:(?:\d+(?:\.\d+)?|\.\d+)(?:px|pt|em|rem|%)|0)$/.test(word)) ?? ''

const backgroundOf = (value: (property: string) => string, outer: Colour | null): Colour | null => {
  const [shorthand, colour, image] = [value('background'), value('background-color'), value('background-image')]
  if (/url\(|gradient\(/.test(shorthand + image)) return null
  const named =
    colour || (shorthand.match(/(?:rgb|hsl)a?\([^()]*\)|\S+/g) ?? []).find(part => parseColour(part) !== null)
  if (named === undefined || named === '') return outer
  const parsed = parseColour(named)
  if (parsed === null) return /^(inherit|initial|unset|none)$/.test(named) ? outer : null
  return outer === null ? (parsed[3] === 1 ? parsed : null) : blend(parsed, outer)
}
