import type { OwnerQuery } from '../../infra/postgres/pool.ts'
import { APPLICATION_NAMES } from '../../infra/postgres/port.ts'
import type { MoveState } from '../../schemas/domain/vocabulary.ts'

/** How far a move into a database is. */
interface Progress {
  /** By table: the key of its last row that is there, or that all are. */
  readonly tables: Readonly<Record<string, { readonly last: readonly string[]; readonly all?: boolean }>>
  /** Statements that put back what was taken away so that rows can come in as they are. */
  readonly restore: readonly string[]
  /** The same for ClickHouse. */
  readonly views: readonly string[]
  /** The tables of ClickHouse that are all there. */
  readonly analytics: readonly string[]
}

export interface NotedMove {
  readonly id: string
  readonly state: MoveState
  readonly progress: Progress
}

export const NO_PROGRESS: Progress = { tables: {}, restore: [], views: [], analytics: [] }

/** What the database has noted; null when it was never part of a move. */
export const readMove = async (query: OwnerQuery): Promise<NotedMove | null> => {
  const [row] = await query<NotedMove>('select id, state, progress from moves')
  return row ?? null
}

export const noteMove = async (query: OwnerQuery, { id, state, progress }: NotedMove): Promise<void> => {
  await query(
    `insert into moves (id, state, progress) values ($1, $2, $3)
     on conflict (only_row) do update set id = excluded.id, state = excluded.state, progress = excluded.progress,
       began_at = now(), ended_at = null`,
    [id, state, JSON.stringify(progress)],
  )
}

/** Replaces a part of the progress. */
export const noteProgress = async (query: OwnerQuery, path: readonly string[], value: unknown): Promise<void> => {
  await query('update moves set progress = jsonb_set(progress, $1, $2)', [path, JSON.stringify(value)])
}

export const endMove = async (query: OwnerQuery, state: MoveState): Promise<void> => {
  await query('update moves set state = $1, ended_at = now()', [state])
}

/** Whether another connection to the database is a program's: they all say so. */
export const areOtherProgramsConnected = async (query: OwnerQuery): Promise<boolean> => {
  const [row] = await query<{ some: boolean }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = any ($1)) as some`,
    [Object.values(APPLICATION_NAMES)],
  )
  return row?.some === true
}

/** What the database knows its key by; null before its first start. */
export const readKeyCheck = async (query: OwnerQuery): Promise<Uint8Array | null> => {
  const [row] = await query<{ check_value: Uint8Array }>('select check_value from installation_key')
  return row?.check_value ?? null
}
