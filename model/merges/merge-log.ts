import type { Transaction } from '../../infra/postgres/port.ts'
import type { StoredRejection } from '../claims/change-evidence.ts'
import { claimSide, ofClaim, type SideRow, signalSide } from './list-proposals.ts'

/** An entry: a decision on a pair. */
export interface MergeLogRow {
  readonly id: string
  /** `attachment`: the judge made a signal evidence of a claim. */
  readonly kind: 'merge' | 'attachment' | 'refusal'
  readonly at: Date
  readonly by: 'member' | 'judge'
  readonly actor: string
  readonly reason: string
  readonly decision: number | null
  readonly undone_at: Date | null
  readonly undone_by: string | null
  readonly lost_candidates: readonly StoredRejection[]
  readonly from_side: SideRow
  readonly into_side: SideRow
}

const LINEAGE = 'select claim_lineage($3::uuid)'
const DECISION_NUMBER = '(select number from decisions where decisions.id = decision_id)'

const MERGED = `
  select id, kind, at, by, actor, reason, ${DECISION_NUMBER} as decision, undone_at, undone_by, lost_candidates,
    case when kind = 'merge' then ${claimSide('from_id')} else ${signalSide('from_id')} end as from_side,
    ${claimSide('into_id')} as into_side
  from (
    (select id, 'merge' as kind, merged_claim_id as from_id, survivor_claim_id as into_id, merged_by as by, actor, reason,
        decision_id, merged_at as at, undone_at, undone_by, lost_candidates
      from merges
      where $3::uuid is null or merged_claim_id in (${LINEAGE}) or survivor_claim_id in (${LINEAGE})
      order by merged_at desc, id desc limit $1::integer + $2::integer)
    union all
    (select signal_id, 'attachment', signal_id, claim_id, 'judge', actor, reason,
        null::uuid, attached_at, null::timestamptz, null::text, lost_candidates
      from claim_evidence where attached_by = 'judge' and ($3::uuid is null or claim_id in (${LINEAGE}))
      order by attached_at desc, signal_id desc limit $1::integer + $2::integer)
  ) as log
  order by at desc, id desc
  limit $1 offset $2`

// Settlements without a Decision are a judge's.
const REFUSED = `
  select id, 'refusal' as kind, coalesce(decided_at, proposed_at) as at,
    case when decision_id is null then 'judge' else 'member' end as by, coalesce(decided_by, '') as actor,
    coalesce(decided_reason, reason) as reason, ${DECISION_NUMBER} as decision,
    null::timestamptz as undone_at, null::text as undone_by, '[]'::jsonb as lost_candidates,
    ${claimSide('surviving_claim(claim_id)')} as from_side, ${claimSide('surviving_claim(candidate_claim_id)')} as into_side
  from merge_proposals proposal
  where state = 'refused' and not implied and ${ofClaim('proposal.id', '$3')}
  order by coalesce(decided_at, proposed_at) desc, id desc
  limit $1 offset $2`

/** A page of merges or of refusals, optionally of one claim, newest first. */
export const mergeLog = (
  transaction: Transaction,
  what: 'merged' | 'refused',
  page: { readonly limit: number; readonly offset: number },
  claimId: string | null,
): Promise<MergeLogRow[]> =>
  transaction.query<MergeLogRow>(what === 'merged' ? MERGED : REFUSED, [page.limit, page.offset, claimId])

/** A standing merge with the numbers of its claims and its Decision. */
interface MergeRow {
  readonly id: string
  readonly merged: number
  readonly title: string
  readonly into: number
  readonly merged_by: 'member' | 'judge'
  readonly actor: string
  readonly reason: string
  readonly decision: number | null
  readonly merged_at: Date
  readonly lost_candidates: readonly StoredRejection[]
}

const MAX_READ = 20

const MERGES = `
  select merges.id, merged.number as merged, merged.title, survivor.number as into, merged_by, actor, reason,
    ${DECISION_NUMBER} as decision, merged_at, lost_candidates
  from claim_lineage($1) as member
  join merges on merges.survivor_claim_id = member and undone_at is null
  join claims merged on merged.id = merged_claim_id
  join claims survivor on survivor.id = survivor_claim_id
  order by merged_at desc, merges.id
  limit ${MAX_READ}`

/** The newest 20 merges into a claim, directly or through others. */
export const mergesOfClaim = (transaction: Transaction, claimId: string): Promise<MergeRow[]> =>
  transaction.query<MergeRow>(MERGES, [claimId])

/** A claim that another is kept apart from, with the refusal. */
interface KeptApartRow {
  readonly number: number
  readonly title: string
  readonly by: string | null
  readonly reason: string | null
  readonly proposal_id: string
  /** Number of all of them. */
  readonly in_all: number
}

const KEPT_APART = `
  select other.number, other.title, refused.decided_by as by, refused.decided_reason as reason, refused.id as proposal_id,
    count(*) over ()::integer as in_all
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

/** Up to 20 claims that a claim is kept apart from, last refused first. */
export const keptApartFrom = (transaction: Transaction, claimId: string): Promise<KeptApartRow[]> =>
  transaction.query<KeptApartRow>(KEPT_APART, [claimId])
