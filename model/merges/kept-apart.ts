import type { Transaction } from '../../infra/postgres/port.ts'
import {
  type ClaimId,
  type DecisionId,
  derivedId,
  type ProposalId,
  type WorkspaceId,
} from '../../schemas/domain/ids.ts'
import { saysTheSameAs } from '../duplicates/wording/says-the-same.ts'
import { readWording } from '../duplicates/wording/wording.ts'

/** Likeliest pairs of each refused claim that are looked at. */
const LOOKED_AT = 20

// For each pair that shares a claim with a refused pair: the text of its other claim, and the text of the claim that it
// replaces.
const BESIDE = `
  select refused.id as refused_id, beside.id, coalesce(own.statement, own.title) as own, coalesce(instead.statement, instead.title) as instead
  from merge_proposals refused
  cross join lateral (
    values (refused.claim_id, refused.candidate_claim_id), (refused.candidate_claim_id, refused.claim_id)
  ) as side (shared_id, instead_id)
  cross join lateral (
    select proposal.id, other_claim_id
    from proposals_of_lineage(side.shared_id) join merge_proposals proposal on proposal.id = proposal_id
    where state in ('waiting', 'set_aside') and found_by is null and withdrawn_by is null
    order by proposal.chance desc nulls last, proposal.id limit ${LOOKED_AT}
  ) as beside
  join claims own on own.id = surviving_claim(beside.other_claim_id)
  join claims instead on instead.id = side.instead_id
  where refused.id = any ($1::uuid[]) and own.id <> instead.id
  order by refused.id, beside.id`

interface Beside {
  readonly refused_id: ProposalId
  readonly id: ProposalId
  readonly own: string
  readonly instead: string
}

const WITHDRAW = `
  update merge_proposals set state = 'set_aside', withdrawn_by = said.refused_id
  from unnest($1::uuid[], $2::uuid[]) as said (id, refused_id) where merge_proposals.id = said.id`

/**
 * Withdraws pairs that repeat a refused question: one claim was in the refused pair, and the other says the same as the
 * refused claim. Needs the lock of the workspace's claims.
 */
export const withdrawSame = async (transaction: Transaction, refusedIds: readonly ProposalId[]): Promise<void> => {
  const beside = await transaction.query<Beside>(BESIDE, [refusedIds])
  const same = beside.filter(({ own, instead }) => saysTheSameAs(readWording(own), instead))
  const withdrawn = new Map(same.map(({ id, refused_id }) => [id, refused_id]))
  if (withdrawn.size > 0) await transaction.query(WITHDRAW, [[...withdrawn.keys()], [...withdrawn.values()]])
}

const BRING_BACK = `
  update merge_proposals set withdrawn_by = null, state = case when state = 'set_aside' then 'waiting' else state end
  where withdrawn_by = any ($1::uuid[])`

/** Makes the pairs wait again that were withdrawn with these refusals. */
const bringBackSame = async (transaction: Transaction, refusedIds: readonly ProposalId[]): Promise<void> => {
  if (refusedIds.length > 0) await transaction.query(BRING_BACK, [refusedIds])
}

/** A standing refusal between two claims, or between claims that were merged into them. */
interface Refusal {
  readonly id: ProposalId
  readonly decided_by: string
  readonly decided_reason: string | null
}

const FIND_REFUSAL = `
  select id, coalesce(decided_by, 'somebody') as decided_by, decided_reason
  from proposals_of_lineage($1) as proposed join merge_proposals on id = proposal_id
  where state = 'refused' and not implied and other_claim_id in (select claim_lineage($2))
  order by decided_at desc nulls last, id
  limit 1`

/** The refusal between two surviving claims; undefined when they may be merged. */
export const findRefusal = async (
  transaction: Transaction,
  one: ClaimId,
  other: ClaimId,
): Promise<Refusal | undefined> => (await transaction.query<Refusal>(FIND_REFUSAL, [one, other]))[0]

/** Author, reason and time of a settlement. The Decision is null for a judge. */
export interface DecidedBy {
  readonly by: string
  readonly reason: string
  readonly at: Date
  readonly decisionId: DecisionId | null
}

const KEEP_APART = `
  insert into merge_proposals (
    id, workspace_id, claim_id, candidate_claim_id, score, reason, state, decided_reason, decided_at, decided_by, decision_id)
  values ($1, $2, $3, $4, 0, $5, 'refused', $5, $6, $7, $8)
  on conflict (workspace_id, least(claim_id, candidate_claim_id), greatest(claim_id, candidate_claim_id)) do update
    set state = 'refused', implied = false, decided_reason = excluded.decided_reason, decided_at = excluded.decided_at,
      decided_by = excluded.decided_by, decision_id = excluded.decision_id`

/** Refuses a pair for good, proposed before or not. */
export const keepApart = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  [one, other]: readonly [ClaimId, ClaimId],
  { by, reason, at, decisionId }: DecidedBy,
): Promise<void> => {
  const id = derivedId<ProposalId>('proposal', ...[one, other].toSorted())
  await transaction.query(KEEP_APART, [id, workspaceId, one, other, reason, at, by, decisionId])
}

const REFUSE_CONFIRMED = `
  update merge_proposals
  set state = 'refused', decided_at = $3, decided_by = $4, decided_reason = $5, decision_id = $6
  where state = 'confirmed' and not implied and id in (
    select proposal_id from proposals_of_lineage($1) where other_claim_id in (select claim_lineage($2)))`

/** Refuses confirmed pairs between two claims whose merge has just been undone. */
export const refuseConfirmed = async (
  transaction: Transaction,
  [one, other]: readonly [ClaimId, ClaimId],
  { at, by, reason, decisionId }: DecidedBy,
): Promise<void> => {
  await transaction.query(REFUSE_CONFIRMED, [one, other, at, by, reason, decisionId])
}

const LIFT_REFUSALS = `
  update merge_proposals
  set state = 'waiting', implied = false, decided_at = null, decided_by = null, decided_reason = null, decision_id = null
  where state = 'refused' and id in (
    select proposal_id from proposals_of_lineage($1) where other_claim_id in (select claim_lineage($2)))
  returning id`

/**
 * Lifts every refusal between two surviving claims: the pairs wait again, with those that were withdrawn with them.
 * Answers their proposals.
 */
export const liftRefusals = async (
  transaction: Transaction,
  [one, other]: readonly [ClaimId, ClaimId],
): Promise<readonly ProposalId[]> => {
  const lifted = (await transaction.query<{ id: ProposalId }>(LIFT_REFUSALS, [one, other])).map(row => row.id)
  await bringBackSame(transaction, lifted)
  return lifted
}
