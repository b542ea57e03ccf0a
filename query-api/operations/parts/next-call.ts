import { type Static, Type } from 'typebox'

/** A call worth making next, in the words of the tools. */
export const NextCall = Type.Object({
  tool: Type.String(),
  mode: Type.String(),
  reason: Type.String(),
})
export type NextCall = Static<typeof NextCall>
