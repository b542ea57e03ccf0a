import type { Scope } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/** The scope of a step's transaction: the workspaces of its batch and no others. */
export const pipelineScope = (batch: Iterable<{ readonly workspace_id: WorkspaceId }>): Scope => ({
  role: 'assay_pipeline',
  workspaceIds: [...new Set(Array.from(batch, signal => signal.workspace_id))],
})
