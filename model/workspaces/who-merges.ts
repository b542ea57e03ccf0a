import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const PEOPLE_MERGE = `select id from workspaces where id = any ($1::uuid[]) and who_merges = 'people'`

/** Those of the workspaces where people merge: a judge’s yes waits there for one of them. */
export const peopleMerge = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlySet<WorkspaceId>> => {
  const rows = await transaction.query<{ id: WorkspaceId }>(PEOPLE_MERGE, [workspaceIds])
  return new Set(rows.map(({ id }) => id))
}
