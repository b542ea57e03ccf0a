import { parseColour } from './colour.ts'
import { pixels } from './lengths.ts'
import { partsOf } from './properties.ts'

type Value = (property: string) => string

/** Positions outside of the screen, px: to the left or above, and to the right or below. */
const BEFORE_SCREEN = -500
const BEHIND_SCREEN = 2_000
/** A larger indent moves text out of its box, px. */
const MAX_INDENT = 700
/** A box of this size shows no letter, px. */
const LEAST_BOX = 2
const LEAST_SCALE = 0.05

/** True when an element's own declarations hide everything inside it, whatever the colours. */
export const hides = (value: Value): boolean =>
  value('display') === 'none' ||
  value('mso-hide') === 'all' ||
  value('content-visibility') === 'hidden' ||
  isBoxEmpty(value) ||
  isOffScreen(value) ||
  isScaledAway(value) ||
  isClippedAway(value)

const isBoxEmpty = (value: Value): boolean => {
  const overflow = value('overflow')
  const clips = overflow !== '' && overflow !== 'visible'
  const isEmpty = (side: string): boolean => pixels(value(side)) < LEAST_BOX
  return pixels(value('max-height')) === 0 || (clips && ['height', 'width', 'max-height', 'max-width'].some(isEmpty))
}

const isOffScreen = (value: Value): boolean => {
  const isOut = (length: string): boolean => pixels(length) <= BEFORE_SCREEN || pixels(length) >= BEHIND_SCREEN
  const positioned = /absolute|fixed|relative|sticky/.test(value('position'))
  return (
    (positioned && ['left', 'top', 'right', 'bottom'].some(side => isOut(value(side)))) ||
    ['margin-left', 'margin-top', 'margin-right', 'margin-bottom'].some(side => isOutByMargin(value(side))) ||
    ['padding-left', 'padding-top'].some(side => isOut(value(side))) ||
    pixels(value('text-indent')) <= BEFORE_SCREEN ||
    pixels(value('text-indent')) >= MAX_INDENT ||
    pixels(value('letter-spacing')) <= -16 ||
    pixels(value('word-spacing')) <= BEFORE_SCREEN ||
    partsOf(value('translate')).some(isOut)
  )
}

/** Halved for percentages, since columns are laid out with margins of -100%. */
const isOutByMargin = (length: string): boolean => {
  const out = length.endsWith('%') ? pixels(length) / 2 : pixels(length)
  return out <= BEFORE_SCREEN || out >= BEHIND_SCREEN
}

const FUNCTION = /([a-z\d]{1,20})\(([^()]{0,300})\)/g

/** The functions of a value, each with its arguments. */
const functionsOf = (value: string): readonly (readonly [name: string, values: readonly string[]])[] =>
  Array.from(value.matchAll(FUNCTION), ([, name = '', inside = '']) => [
    name,
    inside.split(/[ ,]+/).filter(part => part !== ''),
  ])

const numberOf = (value: string | undefined): number =>
  Number.parseFloat(value ?? '') / (value?.endsWith('%') ? 100 : 1)

const isScaledAway = (value: Value): boolean => {
  const isNothing = (scale: string | undefined): boolean => Math.abs(numberOf(scale)) <= LEAST_SCALE
  const isQuarter = (angle: string | undefined): boolean =>
    angle !== undefined && /^-?(?:90|270)deg$|^-?(?:0?\.25|0?\.75)turn$|^-?100grad$/.test(angle)
  const transforms = functionsOf(value('transform'))
  return (
    isNothing(value('zoom')) ||
    partsOf(value('scale')).slice(0, 2).some(isNothing) ||
    (/^[xy] |^[01] [01] 0 /.test(value('rotate')) && isQuarter(partsOf(value('rotate')).at(-1))) ||
    functionsOf(value('filter')).some(([name, [share]]) => name === 'opacity' && isNothing(share)) ||
    transforms.some(([name, values]) => {
      if (/^scale(?:x|y|3d)?$/.test(name)) return values.slice(0, 2).some(isNothing)
      if (/^rotate[xy]$/.test(name)) return isQuarter(values[0])
      if (name === 'matrix')
        return isNothing(String(numberOf(values[0]) * numberOf(values[3]) - numberOf(values[1]) * numberOf(values[2])))
      if (!/^translate(?:x|y|3d)?$/.test(name)) return false
      return values.some(length => pixels(length) <= BEFORE_SCREEN || pixels(length) >= BEHIND_SCREEN)
    })
  )
}

const isClippedAway = (value: Value): boolean =>
  functionsOf(value('clip')).some(([name, sides]) => name === 'rect' && isEmptyRectangle(sides)) ||
  functionsOf(value('clip-path')).some(([name, values]) => isEmptyShape(name, values)) ||
  isMaskedAway(value('mask-image'))

/** Top, right, bottom and left, measured from the top and the left. */
const isEmptyRectangle = ([top = '', right = '', bottom = '', left = '']: readonly string[]): boolean =>
  pixels(bottom) - (Number.isNaN(pixels(top)) ? 0 : pixels(top)) < LEAST_BOX ||
  pixels(right) - (Number.isNaN(pixels(left)) ? 0 : pixels(left)) < LEAST_BOX

const isEmptyShape = (name: string, values: readonly string[]): boolean => {
  if (name === 'circle' || name === 'ellipse')
    return values.slice(0, name === 'circle' ? 1 : 2).some(radius => pixels(radius) < LEAST_BOX)
  if (name === 'polygon') {
    const points = values.map(pixels).filter(point => !Number.isNaN(point))
    return [0, 1].some(axis => new Set(points.filter((_, at) => at % 2 === axis)).size === 1)
  }
  if (name === 'rect') return isEmptyRectangle(values)
  if (name !== 'inset') return false
  const [top = '0', right = top, bottom = top, left = right] = values
  return isEmptyAcross(top, bottom) || isEmptyAcross(right, left)
}

/** Nothing is left: 95 % of the width, or 60 px. */
const isEmptyAcross = (one: string, other: string): boolean => {
  if (one.endsWith('%') || other.endsWith('%')) return numberOf(one) + numberOf(other) >= 0.95
  return pixels(one) + pixels(other) >= 60
}

/** True for a gradient of transparent colours only. */
const isMaskedAway = (mask: string): boolean => {
  if (!mask.includes('gradient(')) return false
  const inside = mask.slice(mask.indexOf('(') + 1, mask.lastIndexOf(')'))
  const colours = partsOf(inside.replaceAll(',', ' ')).flatMap(part =>
    [parseColour(part) ?? []].filter(one => one.length > 0),
  )
  return colours.length > 0 && colours.every(([, , , alpha = 1]) => alpha <= LEAST_SCALE)
}
