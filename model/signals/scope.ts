import type { Scope, Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Embedding } from '../../schemas/events/signal.ts'
import type { VectorSpace } from '../neighbours/stored-bits.ts'

/** Scope of a step's transaction: the workspaces of its batch. */
export const pipelineScope = (batch: Iterable<{ readonly workspace_id: WorkspaceId }>): Scope => ({
  role: 'assay_pipeline',
  workspaceIds: [...new Set(Array.from(batch, signal => signal.workspace_id))],
})

/** The vector space of a signal. */
export const vectorSpaceOf = ({
  workspace_id,
  embedding,
}: {
  readonly workspace_id: WorkspaceId
  readonly embedding: Pick<Embedding, 'model'>
}): VectorSpace => ({ workspaceId: workspace_id, model: embedding.model })

// The inner query orders before the outer one locks: two transactions that lock in one order cannot wait for each
// other.
const LOCK_WORKSPACES = `
  select pg_advisory_xact_lock(hashtextextended('assay.workspace.' || $2 || '.' || ordered.id, 0))
  from (select id from unnest($1::uuid[]) as id group by id order by id offset 0) as ordered`

/**
 * Locks workspaces until the transaction ends, for one kind of change: `signals` and `claims` guard which ones exist,
 * others the order of the strategy or the roadmap, or the changes under a Decision that is used again or reversed.
 * Signals and claims have two locks, so that signals can be inserted while earlier ones are clustered. Take the lock of
 * signals first when you need both.
 *
 * @example
 * await lockWorkspaces(transaction, [workspaceId], 'signals')
 */
export const lockWorkspaces = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
  what: 'signals' | 'claims' | 'strategy' | 'roadmap' | 'decisions',
): Promise<void> => {
  await transaction.query(LOCK_WORKSPACES, [workspaceIds, what])
}
