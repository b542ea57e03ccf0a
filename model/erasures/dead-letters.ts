import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { isLastPage, pageOfLetters } from '../dead-letters/page.ts'
import type { OfErasure } from './erasures.ts'

/** Position of a dead letter in reading order. */
export interface DeadLetterPlace {
  readonly signal_id: SignalId
  readonly step: string
}

export interface StoredDeadLetter extends DeadLetterPlace {
  readonly sealed: boolean
  readonly record: Uint8Array
  readonly message: string
}

const READ = `
  with ${pageOfLetters({
    where: 'workspace_id = $1 and ($2::uuid is null or (signal_id, step) > ($2, $3))',
    order: 'signal_id, step',
    limit: '$4',
  })}
  select signal_id, step, sealed, record, message, found from page join dead_letters using (signal_id, step)
  order by signal_id, step`

interface PageOfLetters {
  readonly letters: readonly StoredDeadLetter[]
  /** Start of the next page; null at the end. */
  readonly last: DeadLetterPlace | null
}

/** The next dead letters with their records. */
export const readStoredDeadLetters = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  after: DeadLetterPlace | null,
  most: number,
): Promise<PageOfLetters> => {
  const places = [after?.signal_id ?? null, after?.step ?? null]
  const letters = await transaction.query<StoredDeadLetter & { found: number }>(READ, [workspaceId, ...places, most])
  return { letters, last: isLastPage(letters, most) ? null : (letters.at(-1) ?? null) }
}

const REMOVE = 'delete from dead_letters where workspace_id = $1 and signal_id = any ($2::uuid[]) returning 1'
const NOTE = `
  insert into erasure_items (workspace_id, erasure_id, signal_id) select $1, $2, id from unnest($3::uuid[]) as id
  on conflict do nothing`

/** Removes dead letters of signals, and stores the signals as erased. Answers the number of removed letters. */
export const eraseDeadLetters = async (
  transaction: Transaction,
  { workspaceId, erasureId }: OfErasure,
  ids: readonly SignalId[],
): Promise<number> => {
  await transaction.query(NOTE, [workspaceId, erasureId, ids])
  return (await transaction.query(REMOVE, [workspaceId, ids])).length
}
