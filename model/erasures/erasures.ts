import type { Transaction } from '../../infra/postgres/port.ts'
import type { JobId, SignalId, SourceId, TransferId, UserId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ErasureKind, JOB_STATES } from '../../schemas/domain/vocabulary.ts'
import type { AgeLimits } from '../retention/retention.ts'

export interface OfErasure {
  readonly workspaceId: WorkspaceId
  readonly erasureId: string
}

/** The subject of an erasure. Stored sealed while the erasure runs, and deleted afterwards. */
export type Sought =
  | {
      readonly what: 'person'
      /** Senders that a person chose in the dry run, in the form of `evidence_actor`. */
      readonly actors: readonly string[]
      /** The given address; null without one. Dead letters from before scrub contain it. */
      readonly address: string | null
      /** Names and addresses to mask in other texts. */
      readonly words: readonly string[]
    }
  | SoughtAgain
  | { readonly what: 'signal'; readonly signalId: SignalId }
  | { readonly what: 'source'; readonly sourceId: SourceId }
  /** The rows of an import that is taken back. The same rows may come again. */
  | { readonly what: 'import'; readonly transferId: TransferId }
  | AgeLimits

/** Subjects of earlier marks, after a restore. The rows show what the marks mean. */
export interface SoughtAgain {
  readonly what: 'again'
  /** Empty once the rows were searched. */
  readonly marks: readonly string[]
  /** Signals from this time on are new (ISO 8601). */
  readonly before: string
  readonly actors: readonly string[]
  readonly sourceIds: readonly SourceId[]
  readonly signalIds: readonly SignalId[]
  /** Spellings in texts. */
  readonly words: readonly string[]
  readonly addresses: readonly string[]
}

/** Names and addresses to mask in others' texts. */
export const wordsOf = (sought: Sought): { readonly words: readonly string[] } =>
  sought.what === 'person' || sought.what === 'again' ? sought : { words: [] }

const NEVER = new Date('9999-12-31T00:00:00Z')

/** Time from which a sender's signals are new, and stay. Erasures of a signal or a source have no such time. */
export const beforeOf = (sought: Sought, askedAt: Date): Date => {
  if (sought.what === 'person' || sought.what === 'import') return askedAt
  return sought.what === 'again' ? new Date(sought.before) : NEVER
}

/** Stores that the proof searches: rows and records, and the bytes of embedded stores' files. */
export const PROOF_STORES = ['postgres', 'clickhouse', 'log', 'files', 'backup'] as const
export const LOOKED_FOR = ['signals', 'sender', 'words', 'records', 'texts'] as const

export interface ProofLine {
  readonly store: (typeof PROOF_STORES)[number]
  /** A table; for the log and for files, a description. */
  readonly place: string
  readonly looked_for: (typeof LOOKED_FOR)[number]
  /** Null before the search. */
  readonly found: number | null
}

export interface ErasureRow {
  readonly id: string
  readonly what: ErasureKind
  readonly label: string
  readonly asked_by_name: string
  readonly asked_at: Date
  readonly finished_at: Date | null
  readonly erased_signals: number
  readonly counts: Readonly<Record<string, number>>
  readonly proof: readonly ProofLine[] | null
  readonly job_state: (typeof JOB_STATES)[number] | null
  readonly job_done: number | null
  readonly job_total: number | null
  readonly job_message: string | null
}

const INSERT = `
  insert into erasures (id, workspace_id, job_id, what, label, sealed, asked_by, asked_by_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

export const insertErasure = async (
  transaction: Transaction,
  erasure: {
    readonly id: string
    readonly workspaceId: WorkspaceId
    readonly jobId: JobId
    readonly what: ErasureKind
    readonly label: string
    readonly sealed: Uint8Array
    readonly by: { readonly id: UserId; readonly name: string }
  },
): Promise<void> => {
  const { id, workspaceId, jobId, what, label, sealed, by } = erasure
  await transaction.query(INSERT, [id, workspaceId, jobId, what, label, sealed, by.id, by.name])
}

const SET_JOB = 'update erasures set job_id = $2 where id = $1 and finished_at is null'

/** Gives an erasure a new job, which starts from the beginning. */
export const setErasureJob = async (transaction: Transaction, id: string, jobId: JobId): Promise<void> => {
  await transaction.query(SET_JOB, [id, jobId])
}

const COLUMNS = `
  erasures.id, what, label, asked_by_name, asked_at, erasures.finished_at, erased_signals, counts, proof, jobs.state as job_state,
  jobs.done as job_done, jobs.total as job_total, jobs.message as job_message`
const LIST = `
  select ${COLUMNS} from erasures left join jobs on jobs.id = job_id
  where erasures.workspace_id = $1 and ($2::uuid is null or erasures.id = $2)
  order by asked_at desc, erasures.id desc limit $3 offset $4`

export const listErasures = (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  page: { readonly id?: string; readonly limit: number; readonly offset: number },
): Promise<ErasureRow[]> => transaction.query<ErasureRow>(LIST, [workspaceId, page.id ?? null, page.limit, page.offset])

const COUNT = 'select count(*)::integer as count from erasures where workspace_id = $1'

export const countErasures = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT, [workspaceId]))[0]?.count ?? 0

const RUNNING = 'select sealed, asked_at from erasures where id = $1 and finished_at is null'

/** The sealed subject of a running erasure; null when it is done or missing. */
export const findRunning = async (
  transaction: Transaction,
  id: string,
): Promise<{ readonly sealed: Uint8Array; readonly asked_at: Date } | null> =>
  (await transaction.query<{ sealed: Uint8Array; asked_at: Date }>(RUNNING, [id]))[0] ?? null

const SET_SEALED = 'update erasures set sealed = $2 where id = $1 and finished_at is null'

/** Updates the subject of an erasure with its findings. */
export const setSought = async (transaction: Transaction, id: string, sealed: Uint8Array): Promise<void> => {
  await transaction.query(SET_SEALED, [id, sealed])
}

const ADD_COUNTS = `
  update erasures set counts = (
    select coalesce(jsonb_object_agg(name, rows), '{}') from (
      select name, sum(rows) as rows from (
        select key as name, value::bigint as rows from jsonb_each_text(counts)
        union all select key, value::bigint from jsonb_each_text($2::jsonb)
      ) as both_of group by name having sum(rows) > 0
    ) as summed)
  where id = $1`

/** Adds a slice's counts, in the transaction of its removals. */
export const addCounts = async (
  transaction: Transaction,
  id: string,
  counts: Readonly<Record<string, number>>,
): Promise<void> => {
  await transaction.query(ADD_COUNTS, [id, JSON.stringify(counts)])
}

const FINISH = `
  update erasures set finished_at = now(), sealed = null, proof = $2::jsonb,
    erased_signals = (select count(*) from erasure_items where erasure_id = $1)
  where id = $1 and finished_at is null`
const FORGET_ITEMS = 'delete from erasure_items where erasure_id = $1'
const FORGET_QUOTES = 'delete from erasure_quotes where erasure_id = $1'

/** Ends an erasure and deletes its subject. */
export const finishErasure = async (
  transaction: Transaction,
  id: string,
  proof: readonly ProofLine[],
): Promise<void> => {
  await transaction.query(FINISH, [id, JSON.stringify(proof)])
  await transaction.query(FORGET_ITEMS, [id])
  await transaction.query(FORGET_QUOTES, [id])
}

const ITEMS = `
  select signal_id from erasure_items where erasure_id = $1 and ($2::uuid is null or signal_id > $2)
  order by signal_id limit $3`

/** Signals that an erasure has found, page by page. */
export const readItems = async (
  transaction: Transaction,
  id: string,
  after: string | null,
  most: number,
): Promise<readonly SignalId[]> =>
  (await transaction.query<{ signal_id: SignalId }>(ITEMS, [id, after, most])).map(({ signal_id }) => signal_id)

const COUNT_ITEMS = 'select count(*)::integer as count from erasure_items where erasure_id = $1'

export const countItems = async (transaction: Transaction, id: string): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT_ITEMS, [id]))[0]?.count ?? 0
