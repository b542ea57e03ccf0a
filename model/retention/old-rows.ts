import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { type DeadLetterPlace, eraseDeadLetters } from '../erasures/dead-letters.ts'
import type { OfErasure } from '../erasures/erasures.ts'

const IS_OLD_EXPORT = `
  direction = 'export' and created_at < $2::timestamptz
  and not exists (select from jobs where jobs.id = transfers.job_id and state = 'running')`

/** The newest job of each kind stays, because maintenance reads it, and so do jobs of imported files. */
const IS_OLD_JOB = `
  state <> 'running' and coalesce(finished_at, updated_at) < $2::timestamptz
  and exists (
    select from jobs as newer
    where newer.workspace_id = jobs.workspace_id and newer.kind = jobs.kind and newer.created_at > jobs.created_at)
  and not exists (
    select from transfers where transfers.workspace_id = $1 and jobs.id in (transfers.job_id, transfers.check_job_id)
      and not (${IS_OLD_EXPORT}))
  and not exists (select from erasures where erasures.job_id = jobs.id and finished_at is null)`

const REMOVE_EXPORTS = `
  delete from transfers where id in (
    select id from transfers where workspace_id = $1 and ${IS_OLD_EXPORT} order by id limit $3)
  returning 1`
const FIND_JOBS = `select id from jobs where workspace_id = $1 and ${IS_OLD_JOB} order by id limit $3`
const UNLINK = 'update erasures set job_id = null where workspace_id = $1 and job_id = any ($2::uuid[])'
const REMOVE_JOBS = 'delete from jobs where workspace_id = $1 and id = any ($2::uuid[]) returning 1'

interface OldWork {
  readonly jobs: number
  readonly exports: number
}

/**
 * Removes exports and jobs that ended before a time, at most `most` of each. Answers their number, 0 when none is left.
 */
export const removeOldJobs = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: string,
  most: number,
): Promise<OldWork> => {
  const exports = await transaction.query(REMOVE_EXPORTS, [workspaceId, before, most])
  const old = (await transaction.query<{ id: string }>(FIND_JOBS, [workspaceId, before, most])).map(({ id }) => id)
  await transaction.query(UNLINK, [workspaceId, old])
  const jobs = await transaction.query(REMOVE_JOBS, [workspaceId, old])
  return { jobs: jobs.length, exports: exports.length }
}

const COUNT = `
  select (select count(*)::integer from jobs where workspace_id = $1 and ${IS_OLD_JOB}) as jobs,
    (select count(*)::integer from transfers where workspace_id = $1 and ${IS_OLD_EXPORT}) as exports`

export const countOldJobs = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: string,
): Promise<OldWork> => {
  const [row] = await transaction.query<OldWork>(COUNT, [workspaceId, before])
  if (row === undefined) throw new Error('The statement answers a row.')
  return row
}

/** Events of a signal go with the signal, because the ledger reads them. */
const NOT_OF_SIGNALS = `workspace_id = {workspace: UUID} AND kind NOT LIKE 'signal.%'`
const BEFORE = 'fromUnixTimestamp64Milli({before: Int64})'
const OLD = `${NOT_OF_SIGNALS} AND occurred_at < ${BEFORE}`

/** Sums by hour and by day. They consist of whole days before the same time. */
const SUMS = ['activity_by_hour', 'activity_by_day', 'activity_moved_by_hour', 'activity_moved_by_day']

const parametersOf = (workspaceId: WorkspaceId, before: string) => ({
  workspace: workspaceId,
  before: Date.parse(before),
})

/** Number of events before a time, without those of signals. Rejects with `unavailable` while ClickHouse is away. */
export const countOldActivity = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  before: string,
): Promise<number> => {
  const statement = `SELECT count() AS events FROM activity WHERE ${OLD}`
  const [row] = await analytics.query<{ events: number | string }>(statement, parametersOf(workspaceId, before))
  return Number(row?.events ?? 0)
}

/**
 * Removes events before the beginning of a day, and their part of the sums, without those of signals. Answers the
 * number of events. Resolves once no query sees them.
 */
export const removeOldActivity = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  before: string,
): Promise<number> => {
  const events = await countOldActivity(analytics, workspaceId, before)
  if (events === 0) return 0
  const parameters = parametersOf(workspaceId, before)
  for (const table of SUMS) await analytics.remove(table, `${NOT_OF_SIGNALS} AND at < ${BEFORE}`, parameters)
  await analytics.remove('activity', OLD, parameters)
  return events
}

/** Letters that nothing replays: a replayed letter's signal ends by itself. */
const IS_OLD_DEAD_LETTER = `last_failed_at < $2::timestamptz and state <> 'replayed' and next_redrive_at is null`

const READ_DEAD_LETTERS = `
  select signal_id, step from dead_letters
  where workspace_id = $1 and ${IS_OLD_DEAD_LETTER} and ($3::uuid is null or (signal_id, step) > ($3, $4))
  order by signal_id, step limit $5 for update`

const KNOWN_DEAD_LETTERS = `
  select requested.id,
    exists (select from signals where signals.id = requested.id) or exists (select from occurrences where occurrences.id = requested.id) as has_row,
    exists (select from dead_letters where signal_id = requested.id and workspace_id = $1 and not (${IS_OLD_DEAD_LETTER})) as is_under_way
  from unnest($3::uuid[]) as requested (id)`

const REMOVE_DEAD_LETTERS = `
  delete from dead_letters using unnest($2::uuid[], $3::text[]) as old (signal_id, step)
  where workspace_id = $1 and dead_letters.signal_id = old.signal_id and dead_letters.step = old.step
  returning 1`

interface OldDeadLettersPage {
  /** Last letter of the page; null at the end. */
  readonly last: DeadLetterPlace | null
  readonly removed: number
}

/**
 * Removes the next dead letters that are too old. A signal without another trace goes with its letter and counts as
 * erased. A signal stays when it has a row, or another letter whose replay is not over.
 */
export const removeOldDeadLetters = async (
  transaction: Transaction,
  erasure: OfErasure,
  before: string,
  after: DeadLetterPlace | null,
  most: number,
): Promise<OldDeadLettersPage> => {
  const { workspaceId } = erasure
  const page = await transaction.query<DeadLetterPlace>(READ_DEAD_LETTERS, [
    workspaceId,
    before,
    after?.signal_id ?? null,
    after?.step ?? null,
    most,
  ])
  const signalIds = [...new Set(page.map(({ signal_id }) => signal_id))]
  const known = await transaction.query<{ id: SignalId; has_row: boolean; is_under_way: boolean }>(KNOWN_DEAD_LETTERS, [
    workspaceId,
    before,
    signalIds,
  ])
  const unknownIds = known.filter(({ has_row, is_under_way }) => !has_row && !is_under_way).map(({ id }) => id)
  const stored = new Set(known.filter(({ has_row }) => has_row).map(({ id }) => id))
  const alone = page.filter(({ signal_id }) => stored.has(signal_id))
  let removed = unknownIds.length === 0 ? 0 : await eraseDeadLetters(transaction, erasure, unknownIds)
  if (alone.length > 0) {
    const values = [workspaceId, alone.map(({ signal_id }) => signal_id), alone.map(({ step }) => step)]
    removed += (await transaction.query(REMOVE_DEAD_LETTERS, values)).length
  }
  return { last: page.length < most ? null : (page.at(-1) ?? null), removed }
}

const COUNT_DEAD_LETTERS = `select count(*)::integer as letters from dead_letters where workspace_id = $1 and ${IS_OLD_DEAD_LETTER}`

export const countOldDeadLetters = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: string,
): Promise<number> =>
  (await transaction.query<{ letters: number }>(COUNT_DEAD_LETTERS, [workspaceId, before]))[0]?.letters ?? 0
