import { type Static, Type } from 'typebox'
import type { AuditFilter } from '../../../model/audit/audit-log.ts'
import { AUDIT_ACTIONS } from '../../../schemas/domain/vocabulary.ts'
import { oneOf } from '../parts/fields.ts'
import { Time, timeRange } from '../parts/time-range.ts'

/** Who, what and when, of the audit log. */
export const AuditFilterInput = Type.Object({
  query: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'A part of the name or the address of who did it, or to whom it was done.',
    }),
  ),
  actions: Type.Optional(Type.Array(oneOf(AUDIT_ACTIONS), { maxItems: AUDIT_ACTIONS.length })),
  time: Type.Optional(Type.Pick(Time, ['from', 'to', 'time_zone'])),
})

/** As long as anybody looks back. */
const DAYS = 36_500

/** The entries that are meant. Throws `invalid_input` for a time that is none. */
export const auditFilter = ({ query, actions, time }: Static<typeof AuditFilterInput>, now: Date): AuditFilter => {
  const range = time === undefined ? undefined : timeRange(time, now, DAYS)
  return { query: query?.trim(), actions, since: range?.from, until: time?.to === undefined ? undefined : range?.to }
}
