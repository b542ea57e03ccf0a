import { Type } from 'typebox'
import { countProposals, listProposals } from '../../../model/merges/list-proposals.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, depth, limit, oneOf } from '../parts/fields.ts'
import { beginningOf, listed, listOf, pageSize } from '../parts/listed.ts'
import { ANSWER_TOKENS, estimateTokens, takeWithinBudget } from '../parts/token-budget.ts'
import { claimFilter, filteredClaim } from './claim-filter.ts'
import { pairName } from './named-pair.ts'
import { groupsOf, Proposal, ProposalGroup, toProposal } from './proposal-shape.ts'

/** The groups take what is left: their ids are listed once more, and those of one claim may be a hundred. */
const ITEMS_SHARE = 0.5

const LINE = ['id (the pair: CLM-2/CLM-1)', 'claim.title', 'candidate.title', 'chance'] as const

/** A pair in a line: its name is taken as its id. */
const toLine = ({ claim, candidate, chance }: Proposal) => ({
  id: pairName(claim.reference, candidate.reference),
  claim: { title: beginningOf(claim.title) },
  candidate: { title: beginningOf(candidate.title) },
  ...(chance === null ? {} : { chance: Number(chance.toPrecision(2)) }),
})

const STATES = ['waiting', 'confirmed', 'refused'] as const

export const lookupProposals = readOperation({
  name: 'lookup_proposals',
  title: 'Proposed merges of claims that wait',
  summary:
    'Lists pairs of claims that may be the same root problem and wait for somebody to decide, the likeliest first; groups holds those that concern one claim, to be decided at once. Similarity only proposes: confirm or refuse with service_decide mode triage, action confirm_merge or refuse_merge, on a proposal_id or a group’s proposal_ids. With depth summary a pair is a line, and service_lookup mode merge_groups has the groups. Decided ones leave the list, so read it from its beginning after deciding; state refused or confirmed lists them, and action undo takes them back.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    state: Type.Optional(oneOf(STATES, { description: 'Default waiting.' })),
    claim_id: claimFilter,
    depth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    items: listOf(Proposal, LINE),
    groups: Type.Array(ProposalGroup, {
      description:
        'The waiting proposals that concern the claims of this page’s candidates; none for decided ones, and with depth summary.',
    }),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('proposals', input.cursor, services.now())
      const claimId = await filteredClaim(transaction, input.claim_id)
      const state = input.state ?? 'waiting'
      const count = await countProposals(transaction, state, claimId)
      const page = { limit: pageSize(input), offset: position.offset }
      const rows = await listProposals(transaction, state, page, claimId)
      const hasGroups = state === 'waiting' && input.depth !== 'summary'
      const beside = hasGroups ? ANSWER_TOKENS * (1 - ITEMS_SHARE) : 0
      const { items, note } = listed(input, rows.map(toProposal), { line: toLine, beside })
      const groups = hasGroups ? await groupsOf(transaction, items) : []
      const left = ANSWER_TOKENS - estimateTokens(items)
      return {
        data: { count, items, groups: takeWithinBudget(groups, left) },
        note,
        nextCursor: nextCursor('proposals', position, items.length, count),
      }
    }),
})
