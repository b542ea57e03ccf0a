import type { Transaction } from '../../infra/postgres/port.ts'
import { type ClaimId, type DecisionId, newId, type ProposalId } from '../../schemas/domain/ids.ts'

/** Two survivors that the caller holds (`lockSurvivors`), so that no other merge takes one away meanwhile. */
export interface Merge {
  readonly merged: ClaimId
  readonly survivor: ClaimId
  readonly mergedBy: 'member' | 'judge'
  /** The member and the key that they work through, or the judge's model. */
  readonly actor: string
  readonly reason: string
  readonly proposalId: ProposalId
  /** Null for a judge, which decides nothing but a merge. */
  readonly decisionId: DecisionId | null
  readonly at: Date
}

/** The best of them are enough to see what it was preferred to. */
const MAX_LOST = 10

/** What else was proposed for the merged claim, as `LostCandidate`s, before anything moves. */
const RECORD_MERGE = `
  insert into merges (
    id, workspace_id, merged_claim_id, survivor_claim_id, merged_by, actor, reason, proposal_id, decision_id, merged_at, lost_candidates)
  select $1, workspace_id, id, $3, $4, $5, $6, $7, $8, $9, coalesce((
    select jsonb_agg(jsonb_build_object('claim_id', lost.other_claim_id,
      'verdict', case lost.state when 'refused' then 'refused' else 'undecided' end,
      'by', lost.decided_by, 'reason', lost.reason, 'score', lost.score, 'similarity', lost.similarity) order by lost.score desc)
    from (
      select other_claim_id, state, decided_by, coalesce(decided_reason, reason) as reason, score, similarity
      from proposals_of_lineage($2) join merge_proposals on merge_proposals.id = proposal_id
      where surviving_claim(other_claim_id) not in ($2, $3)
      order by score desc
      limit ${MAX_LOST}
    ) as lost), '[]')
  from claims where id = $2`

/** Writes down a merge that is about to be made, with its reason and the candidates that lost. */
export const recordMerge = async (transaction: Transaction, merge: Merge): Promise<void> => {
  const { merged, survivor, mergedBy, actor, reason, proposalId, decisionId, at } = merge
  await transaction.query(RECORD_MERGE, [
    newId(),
    merged,
    survivor,
    mergedBy,
    actor,
    reason,
    proposalId,
    decisionId,
    at,
  ])
}
