import { parseColour } from './colour.ts'
import { parseLength } from './lengths.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const GLOBAL = words('inherit initial unset revert revert-layer')
const DISPLAYS = words(
  'none block inline inline-block flex inline-flex grid inline-grid table inline-table table-row table-cell ' +
    'table-row-group table-header-group table-footer-group table-column table-column-group table-caption contents ' +
    'list-item flow-root flow run-in ruby ruby-base ruby-text -webkit-box -webkit-inline-box -webkit-flex ' +
    '-ms-flexbox -ms-grid -moz-box math',
)
const SIZES = words('xx-small x-small small medium large x-large xx-large xxx-large smaller larger')
const SIDES = ['top', 'right', 'bottom', 'left'] as const

/** The parts of a value, separated by spaces outside of parentheses. */
export const partsOf = (value: string): readonly string[] => {
  const parts: string[] = []
  let depth = 0
  let begin = 0
  for (let at = 0; at <= value.length; at += 1) {
    const sign = value[at]
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (at < value.length && (sign !== ' ' || depth > 0)) continue
    if (at > begin) parts.push(value.slice(begin, at))
    begin = at + 1
  }
  return parts
}

/** Functions that cannot be computed here, such as `light-dark(…)`, count as colours too. */
const COLOUR_FUNCTION =
  /^(?:light-dark|color-mix|color|lab|lch|oklab|oklch|hwb|device-cmyk|contrast-color|rgba?|hsla?)\(/
const isColour = (value: string): boolean =>
  value === 'currentcolor' ||
  parseColour(value) !== null ||
  (/^(?:light-dark|contrast-color|device-cmyk)/.test(value) && COLOUR_FUNCTION.test(value))
const isLength = (value: string): boolean => parseLength(value) !== null
const isLengthOr =
  (...keywords: readonly string[]) =>
  (value: string): boolean =>
    keywords.includes(value) || isLength(value)
const isOneOf = (text: string) => {
  const known = words(text)
  return (value: string): boolean => known.has(value)
}
const isSize = isLengthOr('auto', 'none', 'min-content', 'max-content', 'fit-content', '-webkit-fill-available')
const isFunctions = (value: string): boolean =>
  value === 'none' || partsOf(value).every(part => /^[a-z\d-]+\(.*\)$/.test(part))
const isNumber = (value: string): boolean => /^-?[\d.]+%?$/.test(value)

/** The properties by which text can be hidden, with the valid values of each. Other properties are ignored. */
const KNOWN: Readonly<Record<string, (value: string) => boolean>> = {
  display: value => partsOf(value).every(part => DISPLAYS.has(part)),
  visibility: isOneOf('visible hidden collapse'),
  'content-visibility': isOneOf('visible hidden auto'),
  'mso-hide': isOneOf('all none screen'),
  opacity: isNumber,
  color: isColour,
  '-webkit-text-fill-color': isColour,
  'background-color': isColour,
  'background-image': () => true,
  'font-size': value => SIZES.has(value) || (isLength(value) && !value.startsWith('-')),
  'line-height': isLengthOr('normal'),
  overflow: value => partsOf(value).every(isOneOf('visible hidden clip scroll auto')),
  position: isOneOf('static relative absolute fixed sticky -webkit-sticky'),
  ...Object.fromEntries(['width', 'height', 'max-width', 'max-height'].map(side => [side, isSize])),
  ...Object.fromEntries(SIDES.flatMap(side => [side, `margin-${side}`]).map(side => [side, isLengthOr('auto')])),
  ...Object.fromEntries(SIDES.map(side => [`padding-${side}`, isLength])),
  'text-indent': isLength,
  'letter-spacing': isLengthOr('normal'),
  'word-spacing': isLengthOr('normal'),
  zoom: value => value === 'normal' || isNumber(value),
  scale: value => value === 'none' || partsOf(value).every(isNumber),
  translate: value => value === 'none' || partsOf(value).every(isLength),
  rotate: () => true,
  transform: isFunctions,
  filter: value => /^url/.test(value) || isFunctions(value),
  clip: value => value === 'auto' || /^rect\(.*\)$/.test(value),
  'clip-path': value => !/^-?\d/.test(value),
  'mask-image': () => true,
}

const NAMES: Readonly<Record<string, string>> = {
  'block-size': 'height',
  'inline-size': 'width',
  'max-block-size': 'max-height',
  'max-inline-size': 'max-width',
  mask: 'mask-image',
  '-webkit-mask': 'mask-image',
  '-webkit-mask-image': 'mask-image',
  ...Object.fromEntries(['transform', 'filter', 'clip-path'].map(name => [`-webkit-${name}`, name])),
  ...Object.fromEntries(['transform', 'filter'].map(name => [`-ms-${name}`, name])),
  ...Object.fromEntries(['margin', 'padding'].flatMap(name => logical(`${name}-`, `${name}-`))),
  ...Object.fromEntries(logical('inset-', '')),
}

function logical(written: string, meant: string): readonly (readonly [string, string])[] {
  return (['block-start top', 'block-end bottom', 'inline-start left', 'inline-end right'] as const).map(pair => {
    const [side = '', physical = ''] = pair.split(' ')
    return [written + side, meant + physical] as const
  })
}

const SHORTHANDS = ['margin', 'padding', 'inset', 'font', 'background', 'overflow-x', 'overflow-y', 'margin-inline']

/** Every property that is read, alone or as part of a shorthand. */
export const READ_PROPERTIES: ReadonlySet<string> = new Set([
  ...Object.keys(KNOWN),
  ...Object.keys(NAMES),
  ...SHORTHANDS,
])

type Longhands = readonly (readonly [property: string, value: string])[]

/**
 * A declaration, in lower case, as longhand properties. Empty for an invalid value: an earlier declaration stays then.
 * A value with a variable is checked where it is used.
 */
export const longhands = (property: string, value: string): Longhands => {
  if (property.startsWith('--')) return [[property, value]]
  if (value === '') return []
  const name = Object.hasOwn(NAMES, property) ? (NAMES[property] ?? property) : property
  const parts = partsOf(value)
  if (name === 'margin' || name === 'padding' || name === 'inset') return ofSides(name, SIDES, parts)
  const side = /^(margin|padding|inset)-(block|inline)$/.exec(name)
  if (side !== null) return ofSides(side[1] ?? '', side[2] === 'block' ? ['top', 'bottom'] : ['left', 'right'], parts)
  if (/^overflow-(?:x|y|block|inline)$/.test(name)) return value === 'visible' ? [] : longhands('overflow', value)
  if (name === 'font') return ofFont(value, parts)
  if (name === 'background') return ofBackground(value, parts)
  if (!Object.hasOwn(KNOWN, name)) return []
  return isKnown(name, value) ? [[name, value]] : []
}

/** True when CSS allows the value. */
export const isKnown = (property: string, value: string): boolean =>
  GLOBAL.has(value) || value.includes('var(') || KNOWN[property]?.(value) === true

const ofSides = (name: string, sides: readonly string[], parts: readonly string[]): Longhands => {
  if (parts.length > sides.length) return []
  const [first = ''] = parts
  const all = sides.map((side, at): readonly [string, string] => {
    const own = parts[at] ?? (at === 3 ? parts[1] : undefined) ?? first
    return [name === 'inset' ? side : `${name}-${side}`, own]
  })
  return all.every(([side, value]) => isKnown(side, value)) ? all : []
}

/** The font size, and the line height behind a slash; a keyword such as `caption` has its own. */
const ofFont = (value: string, parts: readonly string[]): Longhands => {
  if (GLOBAL.has(value)) return [['font-size', value]]
  for (const [at, part] of parts.slice(0, -1).entries()) {
    const [size = '', height] = part.split('/')
    if (/^\d{3,4}$/.test(size) || !isKnown('font-size', size)) continue
    const line = height || (parts[at + 1] === '/' ? parts[at + 2] : undefined) || 'normal'
    return [
      ['font-size', size],
      ['line-height', isKnown('line-height', line) ? line : 'normal'],
    ]
  }
  return []
}

const BACKGROUND_WORD =
  /^(?:url\(|(?:repeating-)?(?:linear|radial|conic)-gradient\(|-webkit-|image-set\(|none,?$|(?:no-)?repeat|round|space|scroll|fixed|local|top|bottom|left|right|center|cover|contain|auto|border-box|padding-box|content-box|text|[,/]|-?[\d.]|calc\()/

const ofBackground = (value: string, parts: readonly string[]): Longhands => {
  if (GLOBAL.has(value) || value.includes('var(')) {
    return [
      ['background-color', value],
      ['background-image', value],
    ]
  }
  const colour = parts.find(isColour)
  if (!parts.every(part => part === colour || BACKGROUND_WORD.test(part))) return []
  return [
    ['background-color', colour ?? 'transparent'],
    ['background-image', /url\(|gradient\(|image-set\(/.test(value) ? value : 'none'],
  ]
}
