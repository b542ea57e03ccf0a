import { type Static, Type } from 'typebox'
import { oneOf } from '../parts/fields.ts'
import { NextCall } from '../parts/next-call.ts'
import type { Facts } from './facts.ts'

/** The worst first. */
export const SEVERITIES = ['broken', 'degraded', 'waiting', 'note'] as const

/** One thing that keeps the workspace from doing what is expected of it. */
export const Finding = Type.Object({
  finding: Type.String({ description: 'Its name, the same in every answer.' }),
  severity: oneOf(SEVERITIES, {
    description:
      'broken: evidence is lost or stopped. degraded: works, less well. waiting: for a person. note: good to know.',
  }),
  cause: Type.String(),
  evidence: Type.String({ description: 'The figures that it was found by.' }),
  next: Type.Object({
    ...NextCall.properties,
    arguments: Type.Record(Type.String(), Type.Unknown(), { description: 'Beside mode; to be sent as they are.' }),
  }),
  remedy: Type.String({ description: 'What ends it.' }),
})
export type Finding = Static<typeof Finding>

/** Judges the facts by one rule: null while they show nothing of it. */
export type Check = (facts: Facts) => Finding | null

/** Names for people, as many as a line holds. */
export const named = (items: readonly { readonly name: string }[]): string => {
  const shown = items.slice(0, 3).map(({ name }) => `"${Array.from(name).slice(0, 60).join('')}"`)
  return items.length > shown.length ? `${shown.join(', ')} and ${items.length - shown.length} more` : shown.join(', ')
}
