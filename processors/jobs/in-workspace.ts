import type { Database, Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

export type InWorkspace = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>

/**
 * Runs transactions of the pipeline in one workspace.
 *
 * @example
 * await inWorkspace({ database }, workspaceId)(transaction => runningJob(transaction, 're_embed'))
 */
export const inWorkspace =
  ({ database }: { readonly database: Database }, workspaceId: WorkspaceId): InWorkspace =>
  work =>
    database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, work)
