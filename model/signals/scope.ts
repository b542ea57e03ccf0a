import type { Scope, Transaction } from '../../infra/postgres/port.ts'
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

// The inner query orders before the outer one locks: two transactions that take locks in one order cannot wait for each
// other.
const LOCK_WORKSPACES = `
  select pg_advisory_xact_lock(hashtextextended('assay.workspace.' || $2 || '.' || ordered.id, 0))
  from (select id from unnest($1::uuid[]) as id group by id order by id offset 0) as ordered`

/**
 * Lets one transaction at a time change which signals, or which claims, the workspaces have, the order of their
 * strategy or roadmap, or what hangs on a Decision that is used again or reversed; held until the transaction ends.
 * Signals and claims have two locks, because signals are inserted while those before them are clustered; whoever needs
 * both takes that of the signals first.
 */
export const lockWorkspaces = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
  what: 'signals' | 'claims' | 'strategy' | 'roadmap' | 'decisions',
): Promise<void> => {
  await transaction.query(LOCK_WORKSPACES, [workspaceIds, what])
}
