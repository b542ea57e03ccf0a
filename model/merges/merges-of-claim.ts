import type { Transaction } from '../../infra/postgres/port.ts'
import type { RejectedCandidate } from './rejected-candidates.ts'

/** A merge in force, its claims and its Decision by their numbers. */
export interface MergeRow {
  readonly id: string
  readonly merged: number
  readonly title: string
  readonly into: number
  readonly merged_by: 'member' | 'judge'
  readonly actor: string
  readonly reason: string
  readonly decision: number | null
  readonly merged_at: Date
  readonly lost_candidates: readonly RejectedCandidate[]
}

const MAX_READ = 20

const MERGES = `
  select merges.id, merged.number as merged, merged.title, survivor.number as into, merged_by, actor, reason,
    (select number from decisions where decisions.id = decision_id) as decision, merged_at, lost_candidates
  from claim_lineage($1) as member
  join merges on merges.survivor_claim_id = member and undone_at is null
  join claims merged on merged.id = merged_claim_id
  join claims survivor on survivor.id = survivor_claim_id
  order by merged_at desc, merges.id
  limit ${MAX_READ}`

/** The newest 20 merges into a claim, directly or by way of others. */
export const mergesOfClaim = (transaction: Transaction, claimId: string): Promise<MergeRow[]> =>
  transaction.query<MergeRow>(MERGES, [claimId])

/** A claim that another one is kept apart from, with the refusal that says so. */
export interface KeptApartRow {
  readonly number: number
  readonly title: string
  readonly by: string | null
  readonly reason: string | null
  readonly proposal_id: string
}

const KEPT_APART = `
  select other.number, other.title, refused.decided_by as by, refused.decided_reason as reason, refused.id as proposal_id
  from (
    select distinct on (survivor_id) survivor_id, merge_proposals.id, decided_by, decided_reason, decided_at
    from proposals_of_lineage($1) as proposed
    join merge_proposals on merge_proposals.id = proposed.proposal_id
    cross join lateral surviving_claim(other_claim_id) as survivor_id
    where merge_proposals.state = 'refused' and not implied
    order by survivor_id, decided_at desc nulls last, merge_proposals.id
  ) as refused
  join claims other on other.id = refused.survivor_id
  order by refused.decided_at desc nulls last, other.number
  limit ${MAX_READ}`

/** Up to 20 claims that a claim is kept apart from, the last refused first. */
export const keptApartFrom = (transaction: Transaction, claimId: string): Promise<KeptApartRow[]> =>
  transaction.query<KeptApartRow>(KEPT_APART, [claimId])
