import type { Transaction } from '../../infra/postgres/port.ts'
import type { AuditAction } from '../../schemas/domain/vocabulary.ts'
import { type Changes, counted, type Window } from './window.ts'

/**
 * What removes something of a workspace for good, without a Decision that says so. A policy of the audit log lets a
 * workspace read these entries and no others.
 */
export const REMOVALS = [
  'delete_source',
  'erase_source',
  'erase_signal',
  'erase_person',
  'take_back_import',
  'remove_member',
] as const satisfies readonly AuditAction[]

interface RemovalRow {
  readonly action: (typeof REMOVALS)[number]
  /** What was removed, as its team called it; empty where it has no name. */
  readonly name: string
  readonly by_name: string
  readonly key_label: string | null
  readonly at: Date
}

const REMOVED = `
  select action, coalesce(subject, sources.name, '') as name, by_name, key_label, at, count(*) over ()::integer as in_all
  from audit_log left join sources on action = 'delete_source' and sources.id::text = subject_id
  where action = any ($1) and at > $2 and at <= $3
  order by at desc, audit_log.id desc
  limit $4 offset $5`

/** What was removed, and by whom, the newest first. */
export const removalsIn = async (
  transaction: Transaction,
  { from, to }: Window,
  limit: number,
  offset = 0,
): Promise<Changes<RemovalRow>> =>
  counted(await transaction.query<RemovalRow & { in_all: number }>(REMOVED, [REMOVALS, from, to, limit, offset]))
