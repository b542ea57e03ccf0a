import { calc } from '@csstools/css-calc'

/** Approximate pixels of each unit on the screen that `media.ts` assumes; a percentage is of its width. */
const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  em: 16,
  rem: 16,
  lh: 20,
  rlh: 20,
  ex: 8,
  ch: 8,
  cm: 38,
  mm: 3.8,
  q: 0.95,
  in: 96,
  '%': 8,
  ...Object.fromEntries(
    ['', 's', 'l', 'd'].flatMap(prefix => ['vw', 'vh', 'vi', 'vb', 'vmin', 'vmax'].map(unit => [prefix + unit, 8])),
  ),
}
const LENGTH = /^(-?\d{1,7}(?:\.\d{1,4})?)([a-z]{1,5}|%)?$/
const MATH = /^(?:calc|min|max|clamp)\(/
const IN_MATH = /(?<![\w.])(\d{1,7}(?:\.\d{1,4})?)([a-z]{1,5}|%)/g

/** A number and its unit, empty without one; null for an invalid length. NaN for a calculation that has no result. */
export const parseLength = (value: string): readonly [number: number, unit: string] | null => {
  if (MATH.test(value)) {
    const plain = value.replace(
      IN_MATH,
      (_, number: string, unit: string) => `${Number(number) * (UNITS[unit] ?? 1)}px`,
    )
    const computed = LENGTH.exec(calc(plain))
    return computed === null ? [NaN, ''] : [Number(computed[1]), computed[2] ?? '']
  }
  const [, number, unit = ''] = LENGTH.exec(value) ?? []
  return number === undefined || (unit !== '' && !Object.hasOwn(UNITS, unit)) ? null : [Number(number), unit]
}

/** NaN for a value that is no length, such as `auto`. */
export const pixels = (value: string): number => {
  const [number, unit] = parseLength(value) ?? [Number.NaN, '']
  return number * (UNITS[unit] ?? 1)
}
