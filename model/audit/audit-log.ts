import type { Transaction } from '../../infra/postgres/port.ts'
import { newId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { AUDIT_ACTORS, AuditAction } from '../../schemas/domain/vocabulary.ts'

export type AuditActor =
  | { readonly kind: 'person'; readonly id: string; readonly name: string }
  | { readonly kind: 'key'; readonly id: string; readonly name: string; readonly label: string }
  | { readonly kind: 'operator' | 'installation' | 'nobody' }

/** The object of an entry, under the name that its team or its owner gave it. Holds no sender's text and no secret. */
export interface AuditSubject {
  readonly id?: string | null
  readonly name?: string | null
  readonly detail?: Readonly<Record<string, string | number | boolean | null | undefined>>
}

export interface AuditEntry extends AuditSubject {
  readonly action: AuditAction
  readonly by: AuditActor
  /** Absent for an entry about the installation. */
  readonly workspaceId?: WorkspaceId | null
  /** Address of the request, for entries about sign-in. */
  readonly clientAddress?: string | null
}

const INSERT = `
  insert into audit_log (
    id, workspace_id, action, by_kind, by_id, by_name, key_label, subject_id, subject, detail, client_address)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

const MAX_CHARACTERS = 200

/** Adds an entry to the audit log, in the transaction of its change. */
export const recordAudit = async (
  transaction: Transaction,
  { action, by, workspaceId = null, id = null, name = null, detail = {}, clientAddress = null }: AuditEntry,
): Promise<void> => {
  const known = 'id' in by ? by : null
  await transaction.query(INSERT, [
    newId(),
    workspaceId,
    action,
    by.kind,
    known?.id ?? null,
    known?.name ?? '',
    by.kind === 'key' ? by.label : null,
    id,
    name?.slice(0, MAX_CHARACTERS) ?? null,
    JSON.stringify(detail),
    clientAddress || null,
  ])
}

/** Filter of entries; absent fields do not filter. */
export interface AuditFilter {
  /** A part of a name or an address: of the actor or the object, in any letter case. */
  readonly query?: string | undefined
  readonly actions?: readonly string[] | undefined
  readonly since?: Date | undefined
  /** Entries before this time. */
  readonly until?: Date | undefined
}

export interface AuditRow {
  readonly id: string
  readonly at: Date
  readonly action: string
  readonly by_kind: (typeof AUDIT_ACTORS)[number]
  readonly by_id: UserId | null
  readonly by_name: string
  readonly key_label: string | null
  readonly subject_id: string | null
  readonly subject: string | null
  readonly detail: Readonly<Record<string, unknown>>
  readonly client_address: string | null
  readonly workspace_id: WorkspaceId | null
  readonly workspace_name: string | null
}

const MATCHES = `
  ($1::text is null or position(lower($1) in lower(by_name)) > 0 or position(lower($1) in lower(coalesce(subject, ''))) > 0
    or exists (
      select from account_users where position(lower($1) in email) > 0
        and (account_users.id = by_id or account_users.id::text = subject_id)))
  and ($2::text[] is null or action = any ($2))
  and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)`

// An entry with an id alone gets its name from an earlier entry, or from the account.
const ROWS = `
  select entry.id, at, action, by_kind, by_id, by_name, key_label, subject_id,
    coalesce(
      subject,
      (select named.subject from audit_log as named
       where named.subject_id = entry.subject_id and named.subject is not null and named.at <= entry.at
       order by named.at desc limit 1),
      (select name from account_users where account_users.id::text = entry.subject_id)) as subject,
    detail, client_address, workspace_id, workspaces.name as workspace_name
  from audit_log as entry left join workspaces on workspaces.id = workspace_id`

const PAGE = `${ROWS} where ${MATCHES} order by at desc, entry.id desc limit $5 offset $6`
const COUNT = `select count(*)::int as count from audit_log where ${MATCHES}`

const valuesOf = ({ query, actions, since, until }: AuditFilter) => [
  query || null,
  actions === undefined || actions.length === 0 ? null : actions,
  since ?? null,
  until ?? null,
]

/** A page of entries, latest first, with the number of all. */
export const readAuditLog = async (
  transaction: Transaction,
  filter: AuditFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly count: number; readonly rows: readonly AuditRow[] }> => {
  const values = valuesOf(filter)
  const [total] = await transaction.query<{ count: number }>(COUNT, values)
  return { count: total?.count ?? 0, rows: await transaction.query<AuditRow>(PAGE, [...values, limit, offset]) }
}

const AFTER = `${ROWS} where ${MATCHES} and ($5::uuid is null or (at, entry.id) > (
    select before.at, before.id from audit_log as before where before.id = $5))
  order by at, entry.id limit $6`

/** Entries in order behind a given one, for an export in pieces. */
export const auditRowsAfter = (
  transaction: Transaction,
  filter: AuditFilter,
  after: string | null,
  limit: number,
): Promise<AuditRow[]> => transaction.query<AuditRow>(AFTER, [...valuesOf(filter), after, limit])
