import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type ProofLine, type Sought, wordsOf } from './erasures.ts'
import { countSought } from './find-signals.ts'
import { TABLES_BY_SIGNAL } from './tables.ts'
import { countWords, postgresPattern } from './words.ts'

const NAMED = `
  select count(*)::integer as rows from changed_rows
  where workspace_id = $1 and exists (
    select from unnest(names) as named join erasure_items on erasure_id = $2 and signal_id = named)`

/**
 * Looks through every table for what an erasure was to take away. A line a table, those included where nothing is
 * found.
 */
export const searchPostgres = async (
  transaction: Transaction,
  {
    id,
    workspaceId,
    sought,
    before,
  }: { readonly id: string; readonly workspaceId: WorkspaceId; readonly sought: Sought; readonly before: Date },
): Promise<readonly ProofLine[]> => {
  const lines: ProofLine[] = []
  const tell = (place: string, looked_for: ProofLine['looked_for'], found: number): void =>
    void lines.push({ store: 'postgres', place, looked_for, found })
  const still = await countSought(transaction, workspaceId, sought, before)
  for (const [place, found] of Object.entries(still)) tell(place, 'sender', found)
  const bySignal = new Map<string, number>()
  for (const [table, column] of TABLES_BY_SIGNAL) {
    const [row] = await transaction.query<{ rows: number }>(
      `select count(*)::integer as rows from ${table}
       where workspace_id = $1 and ${column} in (select signal_id from erasure_items where erasure_id = $2)`,
      [workspaceId, id],
    )
    bySignal.set(table, (bySignal.get(table) ?? 0) + (row?.rows ?? 0))
  }
  const [named] = await transaction.query<{ rows: number }>(NAMED, [workspaceId, id])
  bySignal.set('changed_rows', named?.rows ?? 0)
  for (const [table, found] of bySignal) tell(table, 'signals', found)
  const pattern = postgresPattern(wordsOf(sought))
  if (pattern !== null)
    for (const [table, found] of await countWords(transaction, workspaceId, pattern)) tell(table, 'words', found)
  return lines
}
