import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Referenced } from '../../schemas/domain/vocabulary.ts'

const ALLOCATE_NUMBERS = `
  insert into reference_counters as counter (workspace_id, kind, last_number)
  values ($1, $2, $3)
  on conflict (workspace_id, kind) do update set last_number = counter.last_number + excluded.last_number
  returning last_number`

/**
 * Takes the next `count` numbers of a workspace's references, such as the 7 of `SIG-7`, and answers the first of them.
 * The counter's row stays locked until the transaction ends; a transaction that rolls back gives its numbers back.
 */
export const allocateNumbers = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  kind: Referenced,
  count: number,
): Promise<number> => {
  const [counter] = await transaction.query<{ last_number: number }>(ALLOCATE_NUMBERS, [workspaceId, kind, count])
  if (counter === undefined) throw new Error(`The ${kind} counter of workspace ${workspaceId} answered no row.`)
  return counter.last_number - count + 1
}
