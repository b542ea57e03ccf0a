import type { Transaction } from '../../infra/postgres/port.ts'
import type { ProposalId } from '../../schemas/domain/ids.ts'
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
export const bringBackSame = async (transaction: Transaction, refusedIds: readonly ProposalId[]): Promise<void> => {
  if (refusedIds.length > 0) await transaction.query(BRING_BACK, [refusedIds])
}
