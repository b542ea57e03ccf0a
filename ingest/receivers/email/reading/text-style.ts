import { BLACK, blend, type Colour, differ, parseColour, WHITE } from './colour.ts'
import type { Declarations } from './css.ts'

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
  /scale[xy]?\(\s*0?\.?0*[,)]|translate\w*\(\s*-\d{4}/.test(value('transform')) ||
  /^rect\(\s*(0|1px)[\s,]/.test(value('clip')) ||
  /inset\(\s*(50|100)%/.test(value('clip-path'))

const LENGTH = /^(-?\d*\.?\d+)(px|pt|em|rem|ex|ch|%|vw|vh|cm|mm|in)?/

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
  if (number === undefined) return /^(x*-?small|medium|x*-?large|initial)$/.test(value) ? DEFAULT_STYLE.size : outer
  if (unit === 'em' || unit === '%') return Number(number) * (unit === '%' ? outer / 100 : outer)
  return pixels(value)
}

/** The size in the shorthand `font`, such as `italic 12px/1.5 serif`. */
const fontSizeIn = (font: string): string => /(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%)|0)(?=[\s/])/.exec(font)?.[1] ?? ''

const backgroundOf = (value: (property: string) => string, outer: Colour | null): Colour | null => {
  const [shorthand, colour, image] = [value('background'), value('background-color'), value('background-image')]
  if (/url\(|gradient\(/.test(shorthand + image)) return null
  const named =
    colour || (shorthand.match(/(?:rgb|hsl)a?\([^)]*\)|[^\s]+/g) ?? []).find(part => parseColour(part) !== null)
  if (named === undefined || named === '') return outer
  const parsed = parseColour(named)
  if (parsed === null) return /^(inherit|initial|unset|none)$/.test(named) ? outer : null
  return outer === null ? (parsed[3] === 1 ? parsed : null) : blend(parsed, outer)
}
