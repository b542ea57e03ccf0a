import { type Static, Type } from 'typebox'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { instant, oneOf } from '../parts/fields.ts'
import { NextCall } from '../parts/next-call.ts'
import type { Facts } from './facts.ts'

/** The worst first. */
export const SEVERITIES = ['broken', 'degraded', 'waiting', 'note'] as const

/** Who can end a finding. An agent does what a member can. */
export const MENDERS = ['operator', 'owner', 'member', 'sender'] as const

/** One thing that keeps the workspace from doing what is expected of it. */
export const Finding = Type.Object({
  finding: Type.String({ description: 'Its name, the same in every answer.' }),
  severity: oneOf(SEVERITIES, {
    description:
      'broken: evidence is lost or stopped. degraded: works, less well. waiting: for a person. note: good to know.',
  }),
  cause: Type.String(),
  evidence: Type.String({ description: 'The figures that it was found by.' }),
  since: Type.With(instant, { description: 'Since when it is so, or as far back as that can be told. ISO 8601, UTC.' }),
  mended_by: oneOf(MENDERS, {
    description:
      'Who can end it. operator: who runs the installation. owner, member: of this workspace, an agent as its member. sender: who runs what sends.',
  }),
  next: Type.Object({
    ...NextCall.properties,
    arguments: Type.Record(Type.String(), Type.Unknown(), { description: 'Beside mode; to be sent as they are.' }),
  }),
  remedy: Type.String({ description: 'What ends it.' }),
})
export type Finding = Static<typeof Finding>

/** Judges the facts by one rule: null while they show nothing of it. */
export type Check = (facts: Facts) => Finding | null

/** The instant so many days before. */
export const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString()

/** Names for people, as many as a line holds. */
export const named = (items: readonly { readonly name: string }[]): string => {
  const shown = items.slice(0, 3).map(({ name }) => `"${Array.from(name).slice(0, 60).join('')}"`)
  return items.length > shown.length ? `${shown.join(', ')} and ${items.length - shown.length} more` : shown.join(', ')
}
