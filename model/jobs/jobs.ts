import type { Transaction } from '../../infra/postgres/port.ts'
import type { JOB_STATES, JobKind } from '../../schemas/domain/vocabulary.ts'

type JobState = (typeof JOB_STATES)[number]

export interface JobRow {
  readonly id: string
  readonly kind: JobKind
  readonly state: JobState
  readonly done: number
  readonly total: number | null
  readonly failed: number
  readonly message: string | null
  readonly started_by: string
  readonly cancelled_by: string | null
  /** In the shape of its kind. Read it defensively. */
  readonly input: unknown
  readonly created_at: Date
  readonly updated_at: Date
  readonly finished_at: Date | null
}

/** Columns of `JobRow`. */
export const JOB_COLUMNS = `
  id, kind, state, done, total, failed, message, started_by, cancelled_by, input, created_at, updated_at, finished_at`

const BY_ID = `select ${JOB_COLUMNS} from jobs where id = $1`

/** A job of the transaction's workspace; undefined outside of it. */
export const findJob = async (transaction: Transaction, id: string): Promise<JobRow | undefined> =>
  (await transaction.query<JobRow>(BY_ID, [id]))[0]

const RUNNING = `select ${JOB_COLUMNS} from jobs where kind = $1 and state = 'running' order by created_at limit 1`

/** The running job of a kind; undefined without one. */
export const runningJob = async (transaction: Transaction, kind: JobKind): Promise<JobRow | undefined> =>
  (await transaction.query<JobRow>(RUNNING, [kind]))[0]

const SELECTED = `
  from jobs
  where ($1::text is null or kind = $1) and ($2::text is null or state = $2) and ($3::timestamptz is null or created_at <= $3)`

const PAGE = `select ${JOB_COLUMNS} ${SELECTED} order by created_at desc, id desc limit $4 offset $5`

const COUNT = `select count(*)::integer as count ${SELECTED}`

/** Filter of jobs. Null fields do not filter. */
interface JobSelection {
  readonly kind: JobKind | null
  readonly state: JobState | null
  /** Jobs that were started by then. */
  readonly until: Date | null
}

/** A page of the selected jobs, newest first. */
export const listJobs = (
  transaction: Transaction,
  { kind, state, until }: JobSelection,
  page: { readonly limit: number; readonly offset: number },
): Promise<JobRow[]> => transaction.query<JobRow>(PAGE, [kind, state, until, page.limit, page.offset])

export const countJobs = async (transaction: Transaction, { kind, state, until }: JobSelection): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT, [kind, state, until]))[0]?.count ?? 0

const CANCEL = `
  update jobs set state = 'cancelled', cancelled_by = $3, finished_at = $2, updated_at = $2, leased_until = null
  where id = $1 and state = 'running' and not exists (select from workspaces where import_job_id = $1)
    and (kind <> 'import' or coalesce(cursor ->> 'phase', '') <> 'record')
  returning id`
/** The import of an export ends itself, after it has removed all of its rows. */
const ASK_TO_END = `
  update jobs set cancelled_by = $3, updated_at = $2, not_before = least(not_before, $2)
  where id = $1 and state = 'running' and exists (select from workspaces where import_job_id = $1) returning id`

/** Ends a running job, or asks the import of an export to end itself. False when it cannot be ended any more. */
export const cancelJob = async (transaction: Transaction, id: string, by: string, at: Date): Promise<boolean> => {
  const cancelled = await transaction.query(CANCEL, [id, at, by])
  const rows = await transaction.query(ASK_TO_END, [id, at, by])
  return cancelled.length + rows.length > 0
}
