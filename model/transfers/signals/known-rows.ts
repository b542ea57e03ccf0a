import type { Transaction } from '../../../infra/postgres/port.ts'
import { keyedSignalId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { textHash } from '../../signals/normalize.ts'
import type { SignalReading } from './read-signal.ts'

type SignalRow = Extract<SignalReading, { readonly kind: 'signal' }>

const lowered = (value: string | undefined): string => (value ?? '').trim().toLowerCase()

/**
 * The id of a row's signal: the same for the same row in whatever file and on whatever line it stands. Where the file
 * has a column that names its rows, that and the source tell them apart; else the words, who said them, and when.
 */
export const signalIdOfRow = (workspaceId: WorkspaceId, { body, rowId, occurredAt }: SignalRow): SignalId => {
  if (rowId !== null) return keyedSignalId(workspaceId, 'imported row', lowered(body.source), rowId)
  const writer = [lowered(body.actor_name), lowered(body.actor_email)].join('\n')
  return keyedSignalId(workspaceId, 'imported words', textHash(body.text), writer, String(occurredAt ?? ''))
}

const KNOWN = `select signal_id as id from imported_rows where workspace_id = $1 and signal_id = any ($2::uuid[])`

/** Which of these rows were imported before. */
export const findKnownRows = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  ids: readonly SignalId[],
): Promise<ReadonlySet<SignalId>> =>
  new Set((await transaction.query<{ id: SignalId }>(KNOWN, [workspaceId, ids])).map(({ id }) => id))

const NOTE = `
  insert into imported_rows (signal_id, workspace_id) select id, $1 from unnest($2::uuid[]) as given (id)
  on conflict (signal_id) do nothing`

/** Notes rows once they are on their way: what an import sends that ends before this is sent again by the next. */
export const noteRows = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  ids: readonly SignalId[],
): Promise<void> => {
  await transaction.query(NOTE, [workspaceId, ids])
}
