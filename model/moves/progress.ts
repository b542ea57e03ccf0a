import type { OwnerQuery } from '../../infra/postgres/pool.ts'
import { APPLICATION_NAMES } from '../../infra/postgres/port.ts'
import type { MoveState } from '../../schemas/domain/vocabulary.ts'

/** Progress of a move into a database. */
interface Progress {
  /** For each table the key of its last copied row, or `all`. */
  readonly tables: Readonly<Record<string, { readonly last: readonly string[]; readonly all?: boolean }>>
  /** Statements that restore what was dropped for the copy. */
  readonly restore: readonly string[]
  /** The same for ClickHouse. */
  readonly views: readonly string[]
  /** Finished tables of ClickHouse. */
  readonly analytics: readonly string[]
}

export interface NotedMove {
  readonly id: string
  readonly state: MoveState
  readonly progress: Progress
}

export const NO_PROGRESS: Progress = { tables: {}, restore: [], views: [], analytics: [] }

/** The database's record of a move; null when there was none. */
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

/** True when a program is connected to the database, by its application name. */
export const areOtherProgramsConnected = async (query: OwnerQuery): Promise<boolean> => {
  const [row] = await query<{ some: boolean }>(
    `select exists (
       select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name = any ($1)) as some`,
    [Object.values(APPLICATION_NAMES)],
  )
  return row?.some === true
}

/** Check value of the installation's key; null before the first start. */
export const readKeyCheck = async (query: OwnerQuery): Promise<Uint8Array | null> => {
  const [row] = await query<{ check_value: Uint8Array }>('select check_value from installation_key')
  return row?.check_value ?? null
}
