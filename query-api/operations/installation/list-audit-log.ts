import { type AuditFilter, readAuditLog } from '../../../model/audit/audit-log.ts'
import { AUDIT_ACTIONS, AUDIT_ACTORS } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Static, Type } from '../define.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, nullable, oneOf, uuid } from '../parts/fields.ts'
import { Time, timeRange } from '../parts/filters.ts'
import { decodeCursor, nextCursor } from '../parts/lists.ts'

/** Filters of the audit log: text, actions and time. */
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

/** Longer than anybody looks back. */
const DAYS = 36_500

/** The filtered entries. Throws `invalid_input` for an invalid time. */
export const auditFilter = ({ query, actions, time }: Static<typeof AuditFilterInput>, now: Date): AuditFilter => {
  const range = time === undefined ? undefined : timeRange(time, now, DAYS)
  return { query: query?.trim(), actions, since: range?.from, until: time?.to === undefined ? undefined : range?.to }
}

const LIST = 'list_audit_log'

export const listAuditLog = readOperation({
  name: LIST,
  title: 'Who did what to accounts, keys and settings',
  summary:
    'Answers who did what to accounts, keys, sources, roles, invitations, exports, erasures and settings, and who signed in or failed to, the latest first. It is added to and never changed.',
  units: 2,
  role: 'administrator',
  audience: 'people',
  databaseRole: 'assay_accounts',
  input: Type.Object({
    ...AuditFilterInput.properties,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    items: Type.Array(
      Type.Object({
        id: uuid,
        at: instant,
        action: Type.String({ description: 'An operation, or what happened to an account.' }),
        by_kind: oneOf(AUDIT_ACTORS),
        by_name: Type.String({ description: 'As they were called then.' }),
        key_label: nullable(Type.String({ description: 'The key that acted as them.' })),
        subject_id: nullable(Type.String()),
        subject: nullable(Type.String({ description: 'To whom or what, as it was called then.' })),
        detail: Type.Record(Type.String(), Type.Unknown()),
        client_address: nullable(Type.String({ description: 'Of a sign-in.' })),
        workspace_name: nullable(Type.String()),
      }),
    ),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor(LIST, input.cursor, services.now())
      const filter = auditFilter(input, services.now())
      const page = { limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }
      const { count, rows } = await readAuditLog(transaction, filter, page)
      const items = rows.map(({ by_id: _, workspace_id: __, at, ...row }) => ({ ...row, at: at.toISOString() }))
      return { data: { count, items }, nextCursor: nextCursor(LIST, position, items.length, count) }
    }),
})
