import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { DecidedBy } from './kept-apart.ts'

/** What was implied before may be so no longer. */
const REOPEN_IMPLIED = `
  update merge_proposals
  set state = 'waiting', implied = false, decided_at = null, decided_by = null, decided_reason = null, decision_id = null
  where implied and id in (select proposal_id from proposals_of_lineage($1))`

const SETTLE_IMPLIED = `
  with proposed as materialized (
    select id, state, implied, surviving_claim(other_claim_id) as other
    from proposals_of_lineage($1) join merge_proposals on id = proposal_id
  ), refused as (
    select other from proposed where state = 'refused' and not implied
  )
  update merge_proposals
  set state = case when other = $1 then 'confirmed' else 'refused' end, implied = true,
    decided_reason = case when other = $1 then 'The two are one claim already.' else 'The two claims are kept apart.' end,
    decided_at = $2, decided_by = $3, decision_id = $4
  from proposed
  where merge_proposals.id = proposed.id and proposed.state in ('waiting', 'set_aside')
    and (other = $1 or other in (select other from refused))`

/**
 * Settles the proposals of a survivor that nobody needs to decide on any more, whichever of the merged claims they
 * name: those within it are confirmed, those with a claim that it is kept apart from are refused. Called after each
 * change of what was merged or refused.
 */
export const settleImpliedProposals = async (
  transaction: Transaction,
  claimId: ClaimId,
  { at, by, decisionId }: Omit<DecidedBy, 'reason'>,
): Promise<void> => {
  await transaction.query(REOPEN_IMPLIED, [claimId])
  await transaction.query(SETTLE_IMPLIED, [claimId, at, by, decisionId])
}
