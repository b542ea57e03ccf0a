import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const REMOVE = `
  with page as materialized (
    select id, names from changed_rows where workspace_id = $1 and id > $3 order by id limit $4
  ), removed as (
    delete from changed_rows using page
    where changed_rows.id = page.id and exists (
      select from unnest(page.names) as named join erasure_items on erasure_id = $2 and signal_id = named)
    returning 1
  )
  select (select max(id)::text from page) as last, (select count(*)::integer from page) as read,
    (select count(*)::integer from removed) as removed`

/** Removes what changes keep of erased signals, so that no undo brings them back: the next rows behind `after`. */
export const eraseHistory = async (
  transaction: Transaction,
  { workspaceId, erasureId }: { readonly workspaceId: WorkspaceId; readonly erasureId: string },
  after: string | null,
  most: number,
): Promise<{ readonly last: string | null; readonly removed: number }> => {
  const [row] = await transaction.query<{ last: string | null; read: number; removed: number }>(REMOVE, [
    workspaceId,
    erasureId,
    after ?? '0',
    most,
  ])
  if (row === undefined) throw new Error('The statement answers a row.')
  return { last: row.read < most ? null : row.last, removed: row.removed }
}
