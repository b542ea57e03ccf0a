import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { uuid } from '../parts/fields.ts'
import { ClaimSide, type Proposal } from './proposal-shape.ts'

/** Waiting proposals with one candidate, which would live on if all of them were confirmed. */
export const ProposalGroup = Type.Object({
  survivor: ClaimSide,
  count: Type.Integer({ description: 'How many claims are proposed to be merged into it, on all pages.' }),
  proposal_ids: Type.Array(uuid, {
    description: 'The best 100 of them, for proposal_ids of service_decide mode triage.',
  }),
})
type ProposalGroup = Static<typeof ProposalGroup>

/** As many as one decision takes. */
const MAX_IDS = 100

const GROUPS = `
  select asked.id as survivor_id, count(*)::integer as count,
    (array_agg(proposal.id order by score desc, proposal.id))[1:${MAX_IDS}] as proposal_ids
  from unnest($1::uuid[]) as asked (id)
  cross join lateral (select claim_lineage(asked.id) as id offset 0) as member
  cross join lateral (
    select id, score from merge_proposals where candidate_claim_id = member.id and state = 'waiting' offset 0
  ) as proposal
  group by asked.id`

/** The groups that the proposals belong to, in the proposals' order. */
export const groupsOf = async (transaction: Transaction, proposals: readonly Proposal[]): Promise<ProposalGroup[]> => {
  const survivors = new Map(proposals.map(({ candidate }) => [candidate.id, candidate]))
  if (survivors.size === 0) return []
  const rows = await transaction.query<Omit<ProposalGroup, 'survivor'> & { readonly survivor_id: string }>(GROUPS, [
    [...survivors.keys()],
  ])
  const byId = new Map(rows.map(({ survivor_id, ...group }) => [survivor_id, group]))
  return [...survivors.values()].flatMap(survivor => {
    const group = byId.get(survivor.id)
    return group === undefined ? [] : [{ survivor, ...group }]
  })
}
