import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Referenced } from '../../schemas/domain/vocabulary.ts'

// Ordered, so that two transactions do not wait for each other's counters.
const TAKE_NUMBERS = `
  insert into reference_counters as counter (workspace_id, kind, last_number)
  select workspace_id, $2, count(*) from unnest($1::uuid[]) as workspace_id group by workspace_id order by workspace_id
  on conflict (workspace_id, kind) do update set last_number = counter.last_number + excluded.last_number
  returning workspace_id, last_number`

interface Counter {
  readonly workspace_id: WorkspaceId
  readonly last_number: number
}

/**
 * Takes a number, such as the 7 of `SIG-7`, for each entry in its workspace, rising along the list, in one statement.
 * The counters' rows stay locked until the transaction ends; a rollback gives the numbers back.
 */
export const nextNumbers = async (
  transaction: Transaction,
  kind: Referenced,
  workspaceIds: readonly WorkspaceId[],
): Promise<readonly number[]> => {
  if (workspaceIds.length === 0) return []
  const counters = await transaction.query<Counter>(TAKE_NUMBERS, [workspaceIds, kind])
  const requested = new Map<WorkspaceId, number>()
  for (const id of workspaceIds) requested.set(id, (requested.get(id) ?? 0) + 1)
  const taken = new Map(
    counters.map(row => [row.workspace_id, row.last_number - (requested.get(row.workspace_id) ?? 0)]),
  )
  return workspaceIds.map(id => {
    const number = (taken.get(id) ?? 0) + 1
    taken.set(id, number)
    return number
  })
}

/** Takes the next number of one workspace. */
export const nextNumber = async (
  transaction: Transaction,
  kind: Referenced,
  workspaceId: WorkspaceId,
): Promise<number> => {
  const [number] = await nextNumbers(transaction, kind, [workspaceId])
  if (number === undefined) throw new Error(`The ${kind} counter of workspace ${workspaceId} answered no row.`)
  return number
}
