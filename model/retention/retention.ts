import type { Transaction } from '../../infra/postgres/port.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import type { UserId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** Days after which rows are removed; null keeps them. */
export interface Retention {
  readonly signals_days: number | null
  /** True keeps evidence of Solutions, however old it is. */
  readonly keeps_evidence: boolean
  readonly activity_days: number | null
  readonly dead_letters_days: number | null
  readonly jobs_days: number | null
}

export interface StoredRetention extends Retention {
  readonly set_by: UserId
  readonly set_by_name: string
  readonly set_at: Date
}

/** Retention of a workspace whose owners have set nothing. */
export const KEEPS_EVERYTHING: Retention = {
  signals_days: null,
  keeps_evidence: true,
  activity_days: null,
  dead_letters_days: null,
  jobs_days: null,
}

const COLUMNS = 'signals_days, keeps_evidence, activity_days, dead_letters_days, jobs_days, set_by, set_by_name, set_at'

/** Null when nothing was ever set. */
export const readRetention = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
): Promise<StoredRetention | null> =>
  (
    await transaction.query<StoredRetention>(`select ${COLUMNS} from retention where workspace_id = $1`, [workspaceId])
  )[0] ?? null

const SET = `
  insert into retention (workspace_id, signals_days, keeps_evidence, activity_days, dead_letters_days, jobs_days, set_by, set_by_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (workspace_id) do update set
    signals_days = excluded.signals_days, keeps_evidence = excluded.keeps_evidence, activity_days = excluded.activity_days,
    dead_letters_days = excluded.dead_letters_days, jobs_days = excluded.jobs_days,
    set_by = excluded.set_by, set_by_name = excluded.set_by_name, set_at = now()
  returning ${COLUMNS}`

export const setRetention = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  retention: Retention,
  by: { readonly id: UserId; readonly name: string },
): Promise<StoredRetention> => {
  const { signals_days, keeps_evidence, activity_days, dead_letters_days, jobs_days } = retention
  const values = [
    workspaceId,
    signals_days,
    keeps_evidence,
    activity_days,
    dead_letters_days,
    jobs_days,
    by.id,
    by.name,
  ]
  const [row] = await transaction.query<StoredRetention>(SET, values)
  if (row === undefined) throw new Error('What was written can be read.')
  return row
}

/** Times before which rows are removed (ISO 8601); null removes none. */
export interface AgeLimits {
  readonly what: 'age'
  readonly signalsBefore: string | null
  readonly keepsEvidence: boolean
  /** The beginning of a day, because sums of activity have no finer time. */
  readonly activityBefore: string | null
  readonly deadLettersBefore: string | null
  readonly jobsBefore: string | null
}

const daysBefore = (now: Date, days: number | null): Date | null =>
  days === null ? null : new Date(now.getTime() - days * DAY_MS)

export const ageLimits = (retention: Retention, now: Date): AgeLimits => {
  const activity = daysBefore(now, retention.activity_days)
  activity?.setUTCHours(0, 0, 0, 0)
  return {
    what: 'age',
    signalsBefore: daysBefore(now, retention.signals_days)?.toISOString() ?? null,
    keepsEvidence: retention.keeps_evidence,
    activityBefore: activity?.toISOString() ?? null,
    deadLettersBefore: daysBefore(now, retention.dead_letters_days)?.toISOString() ?? null,
    jobsBefore: daysBefore(now, retention.jobs_days)?.toISOString() ?? null,
  }
}

const SETS_SOMETHING = 'coalesce(signals_days, activity_days, dead_letters_days, jobs_days) is not null'

/**
 * Workspaces among `$1` in which old rows may be removed: a day after the retention was set, then once a day. Not
 * during another erasure, an import or an export. A job that ended early is left to people.
 */
export const WITH_SOMETHING_TOO_OLD = `
  select workspace_id as id from retention
  where workspace_id = any ($1::uuid[]) and $2::text is null and set_at < now() - interval '1 day' and ${SETS_SOMETHING}
    and not exists (
      select from jobs where jobs.workspace_id = retention.workspace_id and (
        (kind = 'erase' and input ? 'retention' and created_at > now() - interval '1 day')
        or (state = 'running' and kind in ('erase', 'import', 'check_import', 'export'))))
    and not exists (
      select from erasures where erasures.workspace_id = retention.workspace_id and what = 'age' and finished_at is null)`

const BEGIN = `
  insert into erasures (id, workspace_id, job_id, what, sealed, asked_by, asked_by_name)
  select $1, workspace_id, $1, 'age', $3, set_by, set_by_name from retention where workspace_id = $2
  on conflict (id) do nothing`

/** Makes a job the erasure of old rows. A repetition changes nothing and keeps the first limits. */
export const beginByAge = async (
  transaction: Transaction,
  { id, workspaceId }: { readonly id: string; readonly workspaceId: WorkspaceId },
  sealed: Uint8Array,
): Promise<void> => {
  await transaction.query(BEGIN, [id, workspaceId, sealed])
}

const FORGET = `
  delete from erasures where id = $1 and what = 'age' and counts = '{}'
    and not exists (select from erasure_items where erasure_id = $1)
  returning 1`

/** Deletes the record of a day on which nothing was too old. Answers true when it did. */
export const forgetIfNothingWent = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.query(FORGET, [id])).length > 0

const LAST_RUN = `
  select max(created_at) as at from jobs where workspace_id = $1 and kind = 'erase' and input ? 'retention'`

/** Time of the last search for old rows; null without one. */
export const lastRunByAge = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<Date | null> =>
  (await transaction.query<{ at: Date | null }>(LAST_RUN, [workspaceId]))[0]?.at ?? null
