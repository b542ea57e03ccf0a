/** Red, green and blue from 0 to 255, and how much of it covers what is below, 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

export const BLACK: Colour = [0, 0, 0, 1]
export const WHITE: Colour = [255, 255, 255, 1]

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
export const parseColour = (text: string): Colour | null => {
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
export const blend = ([red, green, blue, alpha]: Colour, below: Colour): Colour => [
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
export const differ = (text: Colour, background: Colour): boolean => {
  const shown = blend(text, background)
  if (contrast(shown, background) >= LEAST_CONTRAST) return true
  return Math.max(...[0, 1, 2].map(i => Math.abs((shown[i] ?? 0) - (background[i] ?? 0)))) >= LEAST_DISTANCE
}
