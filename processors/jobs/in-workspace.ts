import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

export type InWorkspace = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>

/** Transactions of the pipeline in one workspace. */
export const inWorkspace =
  ({ database }: { readonly database: Database }, workspaceId: WorkspaceId): InWorkspace =>
  work =>
    database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, work)
