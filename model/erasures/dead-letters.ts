import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'

export interface StoredLetter {
  readonly signal_id: SignalId
  readonly step: string
  readonly sealed: boolean
  readonly record: Uint8Array
  readonly message: string
}

const READ = `
  select signal_id, step, sealed, record, message from dead_letters
  where workspace_id = $1 and ($2::uuid is null or (signal_id, step) > ($2, $3)) order by signal_id, step limit $4`

/** The next dead letters behind one, with what the log had of them. */
export const readLetters = (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  after: readonly [signalId: string, step: string] | null,
  most: number,
): Promise<StoredLetter[]> =>
  transaction.query<StoredLetter>(READ, [workspaceId, after?.[0] ?? null, after?.[1] ?? null, most])

const REMOVE = 'delete from dead_letters where workspace_id = $1 and signal_id = any ($2::uuid[]) returning 1'
const NOTE = `
  insert into erasure_items (workspace_id, erasure_id, signal_id) select $1, $2, id from unnest($3::uuid[]) as id
  on conflict do nothing`

/** Removes the letters of signals, and notes these as erased. Answers how many letters. */
export const eraseLetters = async (
  transaction: Transaction,
  { workspaceId, erasureId }: { readonly workspaceId: WorkspaceId; readonly erasureId: string },
  ids: readonly SignalId[],
): Promise<number> => {
  await transaction.query(NOTE, [workspaceId, erasureId, ids])
  return (await transaction.query(REMOVE, [workspaceId, ids])).length
}
