import { Type } from 'typebox'
import { countProposals, listProposals } from '../../../model/merges/list-proposals.ts'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, limit, oneOf } from '../parts/fields.ts'
import { ANSWER_TOKENS, estimateTokens, takeWithinBudget } from '../parts/token-budget.ts'
import { groupsOf, Proposal, ProposalGroup, toProposal } from './proposal-shape.ts'

/** The groups take what is left: their ids are listed once more, and those of one claim may be a hundred. */
const ITEMS_SHARE = 0.5

const STATES = ['waiting', 'confirmed', 'refused'] as const

export const lookupProposals = readOperation({
  name: 'lookup_proposals',
  title: 'Proposed merges of claims that wait',
  summary:
    'Lists pairs of claims that may be the same root problem and wait for somebody to decide, the likeliest first; groups holds those that concern one claim, to be decided at once. Similarity only proposes: confirm or refuse with service_decide mode triage, action confirm_merge or refuse_merge, on a proposal_id or a group’s proposal_ids. Decided ones leave the list, so read it from its beginning after deciding; state refused or confirmed lists them, and action undo takes them back.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    state: Type.Optional(oneOf(STATES, { description: 'Default waiting.' })),
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    items: Type.Array(Proposal),
    groups: Type.Array(ProposalGroup, {
      description: 'The waiting proposals that concern the claims of this page’s candidates; none for decided ones.',
    }),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const position = decodeCursor('proposals', input.cursor, services.now())
      const state = input.state ?? 'waiting'
      const count = await countProposals(transaction, state)
      const page = { limit: input.limit ?? DEFAULT_LIMIT, offset: position.offset }
      const rows = await listProposals(transaction, state, page)
      const items = takeWithinBudget(rows.map(toProposal), ANSWER_TOKENS * ITEMS_SHARE)
      const groups = state === 'waiting' ? await groupsOf(transaction, items) : []
      const left = ANSWER_TOKENS - estimateTokens(items)
      return {
        data: { count, items, groups: takeWithinBudget(groups, left) },
        nextCursor: nextCursor('proposals', position, items.length, count),
      }
    }),
})
