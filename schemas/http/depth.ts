import { type TSchema, Type } from 'typebox'

const MAX_DEPTH = 32

/** What may stand around a value that is as deep, within one field of the arguments. */
const ENVELOPE = 1

export const TOO_DEEP = `must not nest deeper than ${MAX_DEPTH} levels`

/** Whether a value nests at most as deep as any that is taken. */
export const isShallow = (value: unknown): boolean => within(value, MAX_DEPTH + ENVELOPE)

/**
 * A type whose values nest at most 32 levels deep, so that whoever walks one later can recurse, and hold no number beyond a double's
 * range: one that is parsed all the same is infinite, and would be written as null.
 */
export const shallow = <T extends TSchema>(type: T) =>
  Type.Refine(
    Type.Refine(
      type,
      value => within(value, MAX_DEPTH),
      () => TOO_DEEP,
    ),
    value => !within(value, MAX_DEPTH) || hasFiniteNumbers(value),
    () => 'must not hold a number beyond the range of a double, about 1.8e308',
  )

const hasFiniteNumbers = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers)
}

const within = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  for (const inner of Object.values(value)) if (!within(inner, levels - 1)) return false
  return true
}
