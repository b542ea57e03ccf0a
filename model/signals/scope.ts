import type { Scope } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Embedding } from '../../schemas/events/signal.ts'
import type { VectorSpace } from '../neighbours/stored-bits.ts'

/** The scope of a step's transaction: the workspaces of its batch and no others. */
export const pipelineScope = (batch: Iterable<{ readonly workspace_id: WorkspaceId }>): Scope => ({
  role: 'assay_pipeline',
  workspaceIds: [...new Set(Array.from(batch, signal => signal.workspace_id))],
})

/** The vectors that a signal's own can be compared with. */
export const vectorSpaceOf = ({
  workspace_id,
  embedding,
}: {
  readonly workspace_id: WorkspaceId
  readonly embedding: Pick<Embedding, 'model'>
}): VectorSpace => ({ workspaceId: workspace_id, model: embedding.model })
