import type { Database } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

const A_PAGE = 200

// A workspace that is being imported is left out: its rows may be removed again.
const WORKSPACES = `
  select id from workspaces where ($1::uuid is null or id > $1) and import_job_id is null order by id limit ${A_PAGE}`

/** All workspaces for maintenance, page by page. */
export async function* pagesOfWorkspaces(database: Database): AsyncGenerator<readonly WorkspaceId[]> {
  for (let after: WorkspaceId | null = null; ; ) {
    const page: readonly { readonly id: WorkspaceId }[] = await database.transaction(
      { role: 'assay_accounts' },
      transaction => transaction.query<{ id: WorkspaceId }>(WORKSPACES, [after]),
    )
    after = page.at(-1)?.id ?? null
    if (after === null) return
    yield page.map(({ id }) => id)
  }
}
