import { Type } from 'typebox'
import { readOperation } from '../define.ts'
import { decodeCursor, nextCursor } from '../parts/cursor.ts'
import { cursor, DEFAULT_LIMIT, limit, oneOf } from '../parts/fields.ts'
import { ANSWER_TOKENS, estimateTokens, takeWithinBudget } from '../parts/token-budget.ts'
import { groupsOf, ProposalGroup } from './proposal-groups.ts'
import { Proposal, type ProposalRow, SELECT_PROPOSALS, toProposal } from './proposal-shape.ts'

/** The groups take what is left: their ids are listed once more, and those of one claim may be a hundred. */
const ITEMS_SHARE = 0.5

const STATES = ['waiting', 'confirmed', 'refused'] as const

/** What was implied by other decisions is no decision of anybody on that pair: the list of decided ones leaves it out. */
const SELECTED = 'where proposal.state = $1 and not implied'

const PAGE = `
  ${SELECT_PROPOSALS} ${SELECTED}
  order by coalesce(decided_at, proposed_at) desc, proposal.id
  limit $2 offset $3`
const PAGE_WAITING = `${SELECT_PROPOSALS} ${SELECTED} order by proposed_at desc, proposal.id limit $2 offset $3`

const COUNT = `select count(*)::integer as count from merge_proposals proposal ${SELECTED}`

export const lookupProposals = readOperation({
  name: 'lookup_proposals',
  title: 'Proposed merges of claims that wait',
  summary:
    'Lists pairs of claims that may be the same root problem and wait for somebody to decide, the newest first; groups holds those that concern one claim, to be decided at once. Similarity only proposes: confirm or refuse with service_decide mode triage, action confirm_merge or refuse_merge, on a proposal_id or a group’s proposal_ids. Decided ones leave the list, so read it from its beginning after deciding; state refused or confirmed lists them, and action undo takes them back.',
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
      const [counted] = await transaction.query<{ count: number }>(COUNT, [state])
      const count = counted?.count ?? 0
      const page = [state, input.limit ?? DEFAULT_LIMIT, position.offset]
      const rows = await transaction.query<ProposalRow>(state === 'waiting' ? PAGE_WAITING : PAGE, page)
      const items = takeWithinBudget(rows.map(toProposal), ANSWER_TOKENS * ITEMS_SHARE)
      const groups = state === 'waiting' ? await groupsOf(transaction, items) : []
      const left = ANSWER_TOKENS - estimateTokens(items)
      return {
        data: { count, items, groups: takeWithinBudget(groups, left) },
        nextCursor: nextCursor('proposals', position, items.length, count),
      }
    }),
})
