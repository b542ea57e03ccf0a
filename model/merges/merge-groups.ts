import type { Transaction } from '../../infra/postgres/port.ts'
import { BEST_FIRST, CORRECTED_CHANCE, ofClaim } from './list-proposals.ts'
import { type ProposedSideRow, proposedSide } from './merge-side.ts'
import { isUndoneMerge } from './undone.ts'

/** As many as one decision takes. */
const MAX_PROPOSALS = 100
const MAX_RIVALS = 5

/** What a judge finds to be the same is likelier than any other pair. */
const RANK = 'case when found_by is null then coalesce(chance, 0) else 1 end'

// Survivors are looked up once a candidate, not once a proposal.
const GROUPS = `
  with waiting as materialized (
    select candidate_claim_id, count(*)::integer as count, max(${RANK}) as best
    from merge_proposals where state = 'waiting' and not implied and ${ofClaim('merge_proposals.id', '$3')}
    group by candidate_claim_id
  ), grouped as materialized (
    select survivor_id, sum(count)::integer as count, max(best) as best
    from waiting cross join lateral surviving_claim(candidate_claim_id) as survivor_id
    group by survivor_id
  )
  select survivor_id, count, ${proposedSide('survivor_id')} as survivor,
    (select count(*)::integer from grouped) as groups, (select coalesce(sum(count), 0)::integer from grouped) as pairs
  from grouped
  order by best desc, survivor_id
  limit $1 offset $2`

/** A claim that others may be the same as. */
export interface MergeGroupRow {
  readonly survivor_id: string
  /** Pairs with it that wait. */
  readonly count: number
  readonly survivor: ProposedSideRow
  /** How many groups there are, and pairs in all of them. */
  readonly groups: number
  readonly pairs: number
}

/** A page of the claims that waiting proposals concern, those of one claim if one is told; those with the likeliest pair first. */
export const mergeGroups = (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
  claimId: string | null,
): Promise<MergeGroupRow[]> => transaction.query<MergeGroupRow>(GROUPS, [page.limit, page.offset, claimId])

const PAIRS = `
  select asked.id as survivor_id, proposal.id, score, similarity, ${CORRECTED_CHANCE} as chance, reason, found_by, proposed_at,
    ${proposedSide('surviving_claim(proposal.claim_id)')} as claim,
    array(
      select jsonb_build_object('number', other.number, 'state', rival.state, 'by', rival.decided_by,
        'reason', coalesce(rival.decided_reason, rival.reason), 'similarity', rival.similarity)
      from proposals_of_lineage(proposal.claim_id) as beside
      join merge_proposals rival on rival.id = beside.proposal_id
      join claims other on other.id = surviving_claim(beside.other_claim_id)
      where rival.id <> proposal.id and other.id <> asked.id and not rival.implied and not ${isUndoneMerge('rival')}
      order by coalesce(rival.chance, 0) desc, rival.score desc limit ${MAX_RIVALS}) as others
  from unnest($1::uuid[]) as asked (id)
  cross join lateral (
    select * from merge_proposals
    where candidate_claim_id in (select claim_lineage(asked.id)) and state = 'waiting' and not implied
      and ${ofClaim('merge_proposals.id', '$2')}
    order by found_by is null, coalesce(chance, 0) desc, score desc, id limit ${MAX_PROPOSALS}
  ) as proposal
  order by ${BEST_FIRST}`

/** A waiting proposal of a group. */
export interface PairRow {
  readonly survivor_id: string
  readonly id: string
  readonly claim: ProposedSideRow
  readonly score: number
  readonly similarity: number | null
  readonly chance: number | null
  readonly reason: string
  readonly found_by: string | null
  readonly proposed_at: Date
  /** What else was proposed for the claim, the best first. */
  readonly others: readonly {
    readonly number: number
    readonly state: string
    readonly by: string | null
    readonly reason: string
    readonly similarity: number | null
  }[]
}

/** The best 100 pairs of each group, those of one claim if one is told; the best first. */
export const pairsOfGroups = (
  transaction: Transaction,
  survivorIds: readonly string[],
  claimId: string | null,
): Promise<PairRow[]> =>
  survivorIds.length === 0 ? Promise.resolve([]) : transaction.query<PairRow>(PAIRS, [survivorIds, claimId])
