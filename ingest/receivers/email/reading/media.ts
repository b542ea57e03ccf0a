/** The assumed screen, px. */
const WIDTH = 1_000
const HEIGHT = 700

const TYPES: Readonly<Record<string, boolean>> = { all: true, screen: true }
const FEATURES: Readonly<Record<string, string>> = {
  'prefers-color-scheme': 'light',
  orientation: 'landscape',
  hover: 'hover',
  'any-hover': 'hover',
  pointer: 'fine',
  'any-pointer': 'fine',
  'prefers-reduced-motion': 'no-preference',
}
const SIDES: Readonly<Record<string, number>> = {
  width: WIDTH,
  height: HEIGHT,
  'device-width': WIDTH,
  'device-height': HEIGHT,
}

/** True when the query list of `@media`, in lower case, holds on a wide, light screen. */
export const holdsOnScreen = (queries: string): boolean => queries.split(',').some(query => holds(query.trim()))

/** A query has at most one `not`. */
const holds = (query: string): boolean => (query.startsWith('not ') ? !allHold(query.slice(4).trim()) : allHold(query))

const allHold = (query: string): boolean => {
  const parts = query.replace(/^only /, '').split(/ (and|or) /)
  const results = parts.filter(part => part !== 'and' && part !== 'or').map(part => holdsPart(part.trim()))
  return parts.includes('or') ? results.some(Boolean) : results.every(Boolean)
}

const RANGE = /^([a-z-]+) ?([<>]=?|=) ?(\d+(?:\.\d+)?)(px|em|rem)?$/
const PLAIN = /^([a-z-]+) ?: ?(.+)$/

const holdsPart = (part: string): boolean => {
  if (!part.startsWith('(')) return part === '' || TYPES[part] === true
  const feature = part.slice(1).replace(/\)$/, '').trim()
  const [, side = '', sign = '', number, unit] = RANGE.exec(feature) ?? []
  if (number !== undefined) return compares(SIDES[side], sign, pixels(number, unit))
  const [, name = '', value = ''] = PLAIN.exec(feature) ?? []
  const bound = /^(min|max)-(.*)$/.exec(name)
  if (bound !== null) {
    const [, limit = '', unitOfLimit] = /^(\d+(?:\.\d+)?)(px|em|rem)?$/.exec(value) ?? []
    return limit !== '' && compares(SIDES[bound[2] ?? ''], bound[1] === 'min' ? '>=' : '<=', pixels(limit, unitOfLimit))
  }
  return name === ''
    ? Object.hasOwn(SIDES, feature) || feature === 'color' || feature === 'hover'
    : FEATURES[name] === value
}

const pixels = (number: string, unit: string | undefined): number =>
  Number(number) * (unit === 'em' || unit === 'rem' ? 16 : 1)

const compares = (actual: number | undefined, sign: string, limit: number): boolean => {
  if (actual === undefined) return false
  if (sign.startsWith('>')) return sign === '>=' ? actual >= limit : actual > limit
  if (sign.startsWith('<')) return sign === '<=' ? actual <= limit : actual < limit
  return actual === limit
}
