import type { TestDatabase } from '../../infra/postgres/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const SETTLED = `
  select max(changed_in) < pg_snapshot_xmin(pg_current_snapshot()) as settled from search_entries
  where workspace_id = $1`

/**
 * Waits for the end of every transaction that was open when a workspace's texts were written: what it wrote may be
 * missing still, so all since is read again. Other tests share the server, and keep transactions open.
 */
export const untilTextsSettled = async (
  database: Pick<TestDatabase, 'pool'>,
  workspaceId: WorkspaceId,
): Promise<void> => {
  await eventually('the end of every transaction that is older than the texts', async () => {
    const { rows } = await database.pool.query<{ readonly settled: boolean }>(SETTLED, [workspaceId])
    return rows[0]?.settled === true
  })
}
