import type { Database } from '../../infra/postgres/port.ts'

/** Mail and erasures that the installation still has to do. Ages in seconds; 0 when nothing waits. */
export interface UnfinishedWork {
  readonly mails_waiting: number
  readonly mails_oldest_seconds: number
  /** Mails of the last day that the mail server refused, or whose time was over. */
  readonly mails_failed: number
  readonly erasures_waiting: number
  readonly erasures_oldest_seconds: number
  /** Workspaces whose last erasure failed. */
  readonly erasures_failed: number
}

const SECONDS_SINCE = (oldest: string): string => `coalesce(extract(epoch from now() - ${oldest}), 0)::float8`

const UNFINISHED = `
  with mails as (
    select count(*) filter (where ended is null)::integer as mails_waiting,
      ${SECONDS_SINCE('min(created_at) filter (where ended is null)')} as mails_oldest_seconds,
      count(*) filter (where ended in ('refused', 'expired'))::integer as mails_failed
    from outgoing_mail),
  newest as (
    select distinct on (workspace_id) state, created_at from jobs
    where kind = 'erase' order by workspace_id, created_at desc),
  erasures as (
    select count(*) filter (where state = 'running')::integer as erasures_waiting,
      ${SECONDS_SINCE(`min(created_at) filter (where state = 'running')`)} as erasures_oldest_seconds,
      count(*) filter (where state = 'failed')::integer as erasures_failed
    from newest)
  select * from mails, erasures`

/** Rejects with `unavailable` while the database is away. */
export const readUnfinishedWork = (database: Database): Promise<UnfinishedWork> =>
  database.transaction({ role: 'assay_accounts' }, async transaction => {
    const [work] = await transaction.query<UnfinishedWork>(UNFINISHED)
    if (work === undefined) throw new TypeError('a sum has one row')
    return work
  })
