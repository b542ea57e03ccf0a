import type { Database } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

export interface NamedWorkspace {
  readonly id: WorkspaceId
  readonly slug: string
}

const NEXT_PAGE = `select id, slug from workspaces where $1::uuid is null or id > $1 order by id limit $2`

/** Every workspace of the installation, by pages. */
export async function* readWorkspaces(
  database: Database,
  pageSize: number,
): AsyncGenerator<readonly NamedWorkspace[], void, undefined> {
  for (let last: WorkspaceId | null = null; ; ) {
    const page: readonly NamedWorkspace[] = await database.transaction({ role: 'assay_accounts' }, transaction =>
      transaction.query<NamedWorkspace>(NEXT_PAGE, [last, pageSize]),
    )
    if (page.length > 0) yield page
    const newest = page.at(-1)
    if (newest === undefined || page.length < pageSize) return
    last = newest.id
  }
}
