import { type TSchema, Type } from 'typebox'

const MAX_DEPTH = 32

/** A type whose values nest at most 32 levels deep: whoever walks one later can recurse. */
export const shallow = <T extends TSchema>(type: T) =>
  Type.Refine(
    type,
    value => within(value, MAX_DEPTH),
    () => `must not nest deeper than ${MAX_DEPTH} levels`,
  )

const within = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  for (const inner of Object.values(value)) if (!within(inner, levels - 1)) return false
  return true
}
