import type { Transaction } from '../../infra/postgres/port.ts'
import type { TestDatabase } from '../../infra/postgres/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Read } from './search-texts.ts'

const SETTLED = `
  select max(changed_in) < pg_snapshot_xmin(pg_current_snapshot()) as settled from search_entries
  where workspace_id = $1`

/**
 * Waits for the end of every transaction that was open when a workspace's texts were written: changes since the oldest
 * open one are read again. Other tests share the server, and keep transactions open.
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

/**
 * Reads whose pages pass through `onPage`, which may delay them, without a connection. Counts pass at once. `isOlder`
 * is true for a page of a first reading.
 */
export const readsPaged =
  (read: Read, onPage: (isOlder: boolean) => Promise<unknown> | undefined): Read =>
  async work => {
    let isPage = true
    let isOlder = false
    const watched = (transaction: Transaction): Transaction => ({
      query: (statement, values) => {
        isPage = !statement.includes('count(*)')
        isOlder = statement.includes('changed_in desc')
        return transaction.query(statement, values)
      },
    })
    const result = await read(transaction => work(watched(transaction)))
    if (isPage) await onPage(isOlder)
    return result
  }
