import { CLAIM_ORDERS, claimsPage } from '../../../model/board/claims.ts'
import { type CustomerFilter, claimsOfCustomers } from '../../../model/board/customers.ts'
import { countClaims } from '../../../model/claims/claims.ts'
import { NOBODY } from '../../../model/members/people.ts'
import type { SearchFilters } from '../../../model/search/searched.ts'
import { customerFactsOf } from '../../../model/signals/facts.ts'
import { LOOKED_THROUGH } from '../../../model/signals/known-senders.ts'
import { CHOSEN_BY } from '../../../schemas/domain/customer-facts.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { CLAIM_KINDS, CLAIM_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Transaction, Type } from '../define.ts'
import { FactsShape, requireKnownFact, toFacts } from '../parts/customer-facts.ts'
import { estimateTokens } from '../parts/excerpt.ts'
import { cursor, limit, listDepth, oneOf } from '../parts/fields.ts'
import { decodeCursor, listed, listOf, nextCursor, oneNote, pageSize } from '../parts/lists.ts'
import { ownerFilter, ownerId } from '../parts/people.ts'
import { prepareSearch } from '../search/prepared-search.ts'
import { ClaimShape, toClaim } from './claim.ts'

const fact = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 300, description }))

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
  omittedFields: ['owner', 'query', ...CHOSEN_BY, 'customers'],
  input: Type.Object({
    states: Type.Optional(
      Type.Array(oneOf(CLAIM_STATES), { minItems: 1, uniqueItems: true, description: 'Default all states.' }),
    ),
    kinds: Type.Optional(
      Type.Array(oneOf(CLAIM_KINDS), { minItems: 1, uniqueItems: true, description: 'Default all kinds.' }),
    ),
    owner: ownerFilter,
    query: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_CHARACTERS.query,
        description: 'Only what a search for it finds, best first.',
      }),
    ),
    account: fact('A company that a Signal behind it came from.'),
    plan: fact('Metadata plan of a Signal behind it.'),
    language: fact('Metadata language of a Signal behind it.'),
    tag: fact('One of metadata tags of a Signal behind it.'),
    customers: Type.Optional(Type.Boolean({ description: 'Whether accounts and revenue of each are answered.' })),
    order_by: Type.Optional(
      oneOf(CLAIM_ORDERS, {
        description: 'The highest first. Default evidence_priority.',
      }),
    ),
    depth: listDepth,
    limit,
    cursor,
  }),
  output: Type.Object({
    count: Type.Integer(),
    groups: Type.Array(Group),
    facts: Type.Optional(FactsShape),
    items: listOf(ClaimShape, LINE),
  }),
  run: async (input, context) => {
    const { caller, read, services } = context
    const search = input.query === undefined ? null : await prepareSearch(context, input.query)
    return read(async transaction => {
      const position = decodeCursor('claims', input.cursor, services.now())
      const [states, kinds] = [input.states ?? CLAIM_STATES, input.kinds ?? CLAIM_KINDS]
      const owner = await ownerId(transaction, caller, input.owner)
      const ofCustomers = await ofTheseCustomers(transaction, input)
      const among =
        search === null
          ? ofCustomers
          : (await search.rank(transaction, ['claim'], filtersOf({ states, kinds, owner, among: ofCustomers }))).map(
              ({ id }) => id,
            )
      const groups = await countClaims(transaction, states, kinds, owner, among)
      const count = groups.reduce((sum, group) => sum + group.claims, 0)
      const rows = await claimsPage(transaction, position.at, {
        states,
        kinds,
        owner,
        among,
        order: input.order_by ?? (search === null ? 'evidence_priority' : 'match'),
        withCustomers: input.customers ?? false,
        limit: pageSize(input),
        offset: position.offset,
      })
      const isFirstOfApp = caller.via.kind === 'app' && input.cursor === undefined
      const facts = isFirstOfApp ? toFacts(await customerFactsOf(transaction, null, LOOKED_THROUGH)) : null
      const shown = rows.map(row => toClaim(row))
      const { items, note } = listed(input, shown, { line: LINE, beside: estimateTokens(groups) })
      return {
        data: { count, groups, ...(facts && { facts }), items },
        note: oneNote(search?.partial() ?? null, note),
        nextCursor: nextCursor('claims', position, items.length, count),
      }
    })
  },
})

/** Ids of the claims that fit the customer facts; undefined without facts. */
const ofTheseCustomers = async (
  transaction: Transaction,
  input: CustomerFilter,
): Promise<readonly string[] | undefined> => {
  const filtered = CHOSEN_BY.filter(field => input[field] !== undefined)
  for (const field of filtered) await requireKnownFact(transaction, field, input[field] ?? '')
  return filtered.length === 0 ? undefined : claimsOfCustomers(transaction, input)
}

interface Chosen {
  readonly states: readonly string[]
  readonly kinds: readonly string[]
  readonly owner: string | undefined
  readonly among: readonly string[] | undefined
}

/** The list's filters, applied to the search as well: otherwise its best results could hide claims of the list. */
const filtersOf = ({ states, kinds, owner, among }: Chosen): SearchFilters => [
  { field: 'state', op: 'in', values: states },
  { field: 'kind', op: 'in', values: kinds },
  ...(owner === undefined ? [] : [{ field: 'owner', op: 'in', values: [owner === NOBODY ? '' : owner] } as const]),
  ...(among === undefined ? [] : [{ field: 'claim', op: 'in', values: among } as const]),
]
