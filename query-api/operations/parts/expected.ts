import { isDeepStrictEqual } from 'node:util'
import type { TProperties } from 'typebox'
import { AssayError, Type } from '../define.ts'

/**
 * The values that the caller read for the fields to change, for objects without versions: two people who change
 * different fields do not conflict.
 */
export const expected = <Fields extends TProperties>(fields: Fields) =>
  Type.Optional(
    Type.Partial(Type.Object(fields), {
      description: 'What you read of the fields that you change. If any has changed since, the write is refused.',
    }),
  )

/** Throws `conflict` with the sentence and the present values when the caller read other values. */
export const requireExpected = (
  sentence: string,
  read: Readonly<Record<string, unknown>> | undefined,
  current: Readonly<Record<string, unknown>>,
): void => {
  const isStale = Object.entries(read ?? {}).some(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, current[field]),
  )
  if (!isStale) return
  throw new AssayError('conflict', `${sentence} Nothing was written.`, { context: { current } })
}
