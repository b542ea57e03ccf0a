import { BLACK, blend, type Colour, differ, parseColour, WHITE } from './colour.ts'
import type { Declarations } from './css.ts'
import { hides } from './hiding.ts'
import { parseLength, pixels } from './lengths.ts'
import { isKnown } from './properties.ts'

/** The style of text at a place of a mail. An element's content starts with the element's style. */
export interface TextStyle {
  /** Nothing inside is visible, whatever its own style. */
  readonly hidden: boolean
  readonly visible: boolean
  /** In px. */
  readonly size: number
  readonly lineHeight: number
  /** True when an ancestor cuts off what does not fit. */
  readonly clips: boolean
  readonly opacity: number
  readonly colour: Colour
  /** The fill colour of letters, which replaces their colour. */
  readonly fill: Colour | null
  /** Null over a picture or an unknown colour. */
  readonly background: Colour | null
  readonly variables: ReadonlyMap<string, string>
}

export const DEFAULT_STYLE: TextStyle = {
  hidden: false,
  visible: true,
  size: 16,
  lineHeight: 20,
  clips: false,
  opacity: 1,
  colour: BLACK,
  fill: null,
  background: WHITE,
  variables: new Map(),
}

/** Below this size no letter is readable, px. */
const LEAST_SIZE = 2
const LEAST_OPACITY = 0.05

/** True when a person can see text of this style. */
export const isVisible = ({
  hidden,
  visible,
  size,
  lineHeight,
  clips,
  opacity,
  colour,
  fill,
  background,
}: TextStyle) => {
  if (hidden || !visible || size < LEAST_SIZE || opacity <= LEAST_OPACITY || (clips && lineHeight < LEAST_SIZE))
    return false
  const text = fill ?? colour
  return background === null ? text[3] > LEAST_OPACITY : differ(text, background)
}

/** The style inside an element with these declarations. */
export const styleInside = (outer: TextStyle, declared: Declarations): TextStyle => {
  // Hidden content stays hidden.
  if (declared.length === 0 || outer.hidden) return outer
  const declarations = new Map<string, string>()
  for (const important of [false, true])
    for (const [property, value, isImportant] of declared)
      if (isImportant === important) declarations.set(property, value)
  const variables = variablesInside(outer.variables, declarations)
  const value = (property: string): string => {
    const written = declarations.get(property) ?? ''
    return written.includes('var(') ? withVariables(property, written, variables) : written
  }
  if (hides(value)) return { ...outer, hidden: true }
  const overflow = value('overflow')
  return {
    hidden: false,
    visible: visibility(value('visibility')) ?? outer.visible,
    size: sizeOf(value('font-size'), outer.size),
    lineHeight: lineHeightOf(value('line-height'), outer.lineHeight),
    clips: outer.clips || (overflow !== '' && overflow !== 'visible'),
    opacity: outer.opacity * opacityOf(value('opacity')),
    colour: parseColour(value('color')) ?? (value('color') === 'initial' ? BLACK : outer.colour),
    fill:
      value('-webkit-text-fill-color') === 'currentcolor'
        ? null
        : (parseColour(value('-webkit-text-fill-color')) ?? outer.fill),
    background: backgroundOf(value, outer),
    variables,
  }
}

/** Limit of variables; more are only there to cost time. */
const MAX_VARIABLES = 100

const variablesInside = (outer: TextStyle['variables'], declarations: ReadonlyMap<string, string>) => {
  const own = [...declarations].filter(([property]) => property.startsWith('--'))
  return own.length === 0 ? outer : new Map([...outer, ...own].slice(-MAX_VARIABLES))
}

const VARIABLE = /var\( ?(--[\w-]{1,100}) ?(?:, ?([^()]{0,200}))?\)/g
/** A variable may refer to another: limit of replacements. */
const MAX_REPLACED = 4
const MAX_LENGTH = 2_000

/** Empty when the result is no valid value of the property. */
const withVariables = (property: string, written: string, variables: TextStyle['variables']): string => {
  let value = written
  for (let round = 0; round < MAX_REPLACED && value.includes('var('); round += 1) {
    value = value
      .replace(VARIABLE, (_, name: string, fallback = '') => variables.get(name) ?? fallback)
      .slice(0, MAX_LENGTH)
  }
  return isKnown(property, value.trim()) && !value.includes('var(') ? value.trim() : ''
}

const visibility = (value: string): boolean | null => {
  if (value === 'hidden' || value === 'collapse') return false
  return value === 'visible' || value === 'initial' ? true : null
}

const opacityOf = (value: string): number => {
  const number = Number.parseFloat(value)
  return Number.isNaN(number) ? 1 : Math.min(1, value.endsWith('%') ? number / 100 : number)
}

const sizeOf = (value: string, outer: number): number => {
  const [number = Number.NaN, unit] = parseLength(value) ?? []
  if (Number.isNaN(number))
    return /^(?:xx?-)?(?:small|large)$|^medium$|^xxx-large$|^initial$/.test(value) ? DEFAULT_STYLE.size : outer
  if (unit === 'em' || unit === '%') return number * (unit === '%' ? outer / 100 : outer)
  return pixels(value)
}

const lineHeightOf = (value: string, outer: number): number => {
  if (value === 'normal' || value === 'initial') return DEFAULT_STYLE.lineHeight
  const [number = Number.NaN, unit] = parseLength(value) ?? []
  if (Number.isNaN(number)) return outer
  return unit === '' || unit === 'em' ? number * 16 : unit === '%' ? number * 0.16 : pixels(value)
}

const backgroundOf = (value: (property: string) => string, outer: TextStyle): Colour | null => {
  const [named, image] = [value('background-color'), value('background-image')]
  if (/url\(|gradient\(|image-set\(/.test(image)) return null
  if (named === '' || /^(?:inherit|initial|unset|revert|revert-layer)$/.test(named)) return outer.background
  const parsed = named === 'currentcolor' ? (parseColour(value('color')) ?? outer.colour) : parseColour(named)
  if (parsed === null) return null
  return outer.background === null ? (parsed[3] === 1 ? parsed : null) : blend(parsed, outer.background)
}
