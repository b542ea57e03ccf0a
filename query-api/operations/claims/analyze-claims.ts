import { CLAIM_ORDERS, claimsPage } from '../../../model/board/claims.ts'
import { countClaims } from '../../../model/claims/claims.ts'
import { CLAIM_KINDS, CLAIM_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, Type } from '../define.ts'
import { estimateTokens } from '../parts/excerpt.ts'
import { cursor, limit, listDepth, oneOf } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, pageSize } from '../parts/lists.ts'
import { ownerFilter, ownerId } from '../parts/people.ts'
import { ClaimShape, toClaim } from './claim.ts'

const LINE = ['reference', 'title', 'kind', 'state', 'signals', 'evidence_priority'] as const

const Group = Type.Object({
  kind: oneOf(CLAIM_KINDS),
  state: oneOf(CLAIM_STATES),
  claims: Type.Integer(),
  unanswered: Type.Integer({ description: 'Of them, without a Solution.' }),
})

export const analyzeClaims = readOperation({
  name: 'analyze_claims',
  title: 'Compare the claims by their evidence',
  summary:
    'Lists claims by how much is behind them (evidence_priority weighs each actor’s recent signals by origin; or signals, actors, last_evidence_at, created_at), with how many there are of each kind and state and how many no Solution answers.',
  units: 5,
  role: 'viewer',
  audience: 'everyone',
  unlisted: ['owner'],
  input: Type.Object({
    states: Type.Optional(
      Type.Array(oneOf(CLAIM_STATES), { minItems: 1, uniqueItems: true, description: 'Default all states.' }),
    ),
    kinds: Type.Optional(
      Type.Array(oneOf(CLAIM_KINDS), { minItems: 1, uniqueItems: true, description: 'Default all kinds.' }),
    ),
    owner: ownerFilter,
    order_by: Type.Optional(oneOf(CLAIM_ORDERS, { description: 'The highest first. Default evidence_priority.' })),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    groups: Type.Array(Group),
    items: listOf(ClaimShape, LINE),
  }),
  run: (input, { caller, read, services }) =>
    read(async transaction => {
      const position = decodeCursor('claims', input.cursor, services.now())
      const states = input.states ?? CLAIM_STATES
      const kinds = input.kinds ?? CLAIM_KINDS
      const owner = await ownerId(transaction, caller, input.owner)
      const groups = await countClaims(transaction, states, kinds, owner)
      const count = groups.reduce((sum, group) => sum + group.claims, 0)
      const rows = await claimsPage(transaction, position.at, {
        states,
        kinds,
        owner,
        order: input.order_by ?? 'evidence_priority',
        limit: pageSize(input),
        offset: position.offset,
      })
      const shown = rows.map(row => toClaim(row))
      const { items, note } = listed(input, shown, { line: LINE, beside: estimateTokens(groups) })
      return { data: { count, groups, items }, note, nextCursor: nextCursor('claims', position, items.length, count) }
    }),
})
