import type { TObject } from 'typebox'

const strict = new WeakMap<TObject, TObject>()

/**
 * The schema with every object closed that does not say otherwise, however deep: an argument that nobody reads is refused,
 * never ignored. What agents are shown and what calls are checked against are this one schema.
 */
export const strictSchema = (schema: TObject): TObject => {
  const known = strict.get(schema)
  if (known) return known
  // Closing objects changes no keyword that makes it an object schema.
  const closed = close(schema) as TObject
  strict.set(schema, closed)
  return closed
}

const close = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(close)
  if (schema === null || typeof schema !== 'object') return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, close(value)]))
  const isOpenObject = closed.type === 'object' && 'properties' in closed && !('additionalProperties' in closed)
  return isOpenObject ? { ...closed, additionalProperties: false } : closed
}
