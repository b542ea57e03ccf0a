import type { Transaction } from '../../infra/postgres/port.ts'
import { type JobId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { JobKind } from '../../schemas/domain/vocabulary.ts'

const INSERT = `
  insert into jobs (id, workspace_id, kind, input, total, started_by) values ($1, $2, $3, $4, $5, $6)`

export interface NewJob {
  readonly workspaceId: WorkspaceId
  readonly kind: JobKind
  /** In the shape of its kind. */
  readonly input: Readonly<Record<string, unknown>>
  /** Number of items; null when the job counts them. */
  readonly total: number | null
  /** A member's name, or the cause of an automatic start. */
  readonly startedBy: string
}

const valuesOf = (id: JobId, { workspaceId, kind, input, total, startedBy }: NewJob): readonly unknown[] => [
  id,
  workspaceId,
  kind,
  JSON.stringify(input),
  total,
  startedBy,
]

/** Starts a job. A processor takes it within a second of the commit. */
export const startJob = async (transaction: Transaction, job: NewJob): Promise<JobId> => {
  const id = newId<JobId>()
  await transaction.query(INSERT, valuesOf(id, job))
  return id
}

const INSERT_UNLESS_RUNNING = `
  ${INSERT}
  on conflict (workspace_id, kind) where state = 'running' and kind <> 'replay' do nothing
  returning id`

/** Starts a job like `startJob`. Null, without a start, while one of its kind runs in the workspace. */
export const startJobUnlessRunning = async (
  transaction: Transaction,
  job: NewJob & { readonly kind: Exclude<JobKind, 'replay'> },
): Promise<JobId | null> => {
  const [started] = await transaction.query<{ id: JobId }>(INSERT_UNLESS_RUNNING, valuesOf(newId<JobId>(), job))
  return started?.id ?? null
}

// Changes the job's input, so that a slice that is just ending does not end the job.
const JOIN = `
  update jobs set input = input || jsonb_build_object('joined', coalesce((input ->> 'joined')::integer, 0) + 1)
  where kind = $1 and state = 'running' returning id`

/** Makes the running job of a kind do more than at its start; null when none runs. */
export const joinJob = async (transaction: Transaction, kind: JobKind): Promise<JobId | null> =>
  (await transaction.query<{ id: JobId }>(JOIN, [kind]))[0]?.id ?? null
