import type { Transaction } from '../../infra/postgres/port.ts'
import { type ClaimId, derivedId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'

/** The claim that a signal starts when it joins no other. */
export const ownClaimId = (signalId: SignalId): ClaimId => derivedId<ClaimId>('claim', signalId)

// `offset 0` keeps each look-up one by its index, whatever the planner knows of the tables.
const FIND_CLUSTERED = `
  select asked.signal_id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as asked (workspace_id, signal_id, claim_id)
  where exists (
      select from claim_evidence
      where claim_evidence.workspace_id = asked.workspace_id and claim_evidence.signal_id = asked.signal_id
      offset 0
    )
    or exists (select from claims where claims.id = asked.claim_id offset 0)
    or not exists (select from signals where signals.id = asked.signal_id offset 0)`

/**
 * Those of the signals that were clustered before: evidence of a claim, or the start of one, even if a person took them out since. What was
 * erased since it was stored counts as one, too: there is nothing to do about it any more.
 */
export const findClustered = async (
  transaction: Transaction,
  signals: readonly { readonly workspaceId: WorkspaceId; readonly signalId: SignalId }[],
): Promise<ReadonlySet<SignalId>> => {
  const rows = await transaction.query<{ signal_id: SignalId }>(FIND_CLUSTERED, [
    signals.map(({ workspaceId }) => workspaceId),
    signals.map(({ signalId }) => signalId),
    signals.map(({ signalId }) => ownClaimId(signalId)),
  ])
  return new Set(rows.map(row => row.signal_id))
}
