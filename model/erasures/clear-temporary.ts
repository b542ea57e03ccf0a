import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const CLEARED: readonly (readonly [table: string, statement: string])[] = [
  ['idempotent_answers', 'delete from idempotent_answers where workspace_id = $1 and created_at < $2'],
  ['transfer_texts', 'delete from transfer_texts where workspace_id = $1 and $2::timestamptz is not null'],
  ['transfer_pieces', 'delete from transfer_pieces where workspace_id = $1 and created_at < $2'],
]

/** What is kept for a day and may hold anybody's words: answers to be given again, files that came in or go out. */
export const clearTemporary = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: Date,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {}
  for (const [table, statement] of CLEARED)
    counts[table] = (await transaction.query(`${statement} returning 1`, [workspaceId, before])).length
  return counts
}

const TESTS = 'delete from test_signals where workspace_id = $1 and source_id = $2 returning 1'

export const removeTestsOf = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  sourceId: string,
): Promise<number> => (await transaction.query(TESTS, [workspaceId, sourceId])).length
