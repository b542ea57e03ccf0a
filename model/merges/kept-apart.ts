import type { Transaction } from '../../infra/postgres/port.ts'
import {
  type ClaimId,
  type DecisionId,
  derivedId,
  type ProposalId,
  type WorkspaceId,
} from '../../schemas/domain/ids.ts'
import { saysTheSame } from '../duplicates/wording/says-the-same.ts'
import { readWording } from '../duplicates/wording/wording.ts'

/** So many pairs beside each of the two claims are looked at, the likeliest. */
const LOOKED_AT = 20

// Of each pair that shares a claim with a refused one: what its other claim says, and what the claim says that this one
// stands in for.
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
 * Takes pairs out of sight that ask again what was refused: one of their claims was in the refused pair, the other says
 * the same as the claim that was. Needs the lock of the workspace's claims.
 */
export const withdrawSame = async (transaction: Transaction, refusedIds: readonly ProposalId[]): Promise<void> => {
  const beside = await transaction.query<Beside>(BESIDE, [refusedIds])
  const same = beside.filter(({ own, instead }) => saysTheSame(readWording(own), readWording(instead)))
  const withdrawn = new Map(same.map(({ id, refused_id }) => [id, refused_id]))
  if (withdrawn.size > 0) await transaction.query(WITHDRAW, [[...withdrawn.keys()], [...withdrawn.values()]])
}

const BRING_BACK = `
  update merge_proposals set withdrawn_by = null, state = case when state = 'set_aside' then 'waiting' else state end
  where withdrawn_by = any ($1::uuid[])`

/** Lets the pairs wait again that were withdrawn with these refusals. */
const bringBackSame = async (transaction: Transaction, refusedIds: readonly ProposalId[]): Promise<void> => {
  if (refusedIds.length > 0) await transaction.query(BRING_BACK, [refusedIds])
}

/** A refusal that holds between two claims, or between what was merged into them. */
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

/**
 * Why two claims, each followed to the one it lives on in, must stay apart; undefined when nothing speaks against them.
 */
export const findRefusal = async (
  transaction: Transaction,
  one: ClaimId,
  other: ClaimId,
): Promise<Refusal | undefined> => (await transaction.query<Refusal>(FIND_REFUSAL, [one, other]))[0]

/** Who settled proposals, when and why; the Decision is null for a judge. */
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

/** Refuses the pair for good, whether it was proposed before or not. */
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

/** Refuses the pairs that were confirmed between two survivors that were one until this moment. */
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
 * Takes back every refusal between two survivors: the pairs wait again, with those that said the same. Answers their
 * proposals.
 */
export const liftRefusals = async (
  transaction: Transaction,
  [one, other]: readonly [ClaimId, ClaimId],
): Promise<readonly ProposalId[]> => {
  const lifted = (await transaction.query<{ id: ProposalId }>(LIFT_REFUSALS, [one, other])).map(row => row.id)
  await bringBackSame(transaction, lifted)
  return lifted
}
