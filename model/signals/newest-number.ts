import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const NEWEST = `select coalesce(max(number), 0) as number from signals where workspace_id = $1`

/** The number of the workspace's newest signal; 0 while it has none. Numbers begin at 1 and leave none out. */
export const newestNumber = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> => {
  const [newest] = await transaction.query<{ number: number }>(NEWEST, [workspaceId])
  return newest?.number ?? 0
}
