import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SolutionId, StrategyElementId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimState, SolutionState, StrategyLayer } from '../../schemas/domain/vocabulary.ts'

/** Claims and Solutions that are linked with an element. */
export interface Links {
  readonly claimIds: readonly ClaimId[]
  readonly solutionIds: readonly SolutionId[]
}

const LINK_CLAIMS = `
  insert into strategy_claims (workspace_id, element_id, claim_id)
  select $1, $2, claim_id from unnest($3::uuid[]) as claim_id
  where claim_id not in (select surviving_claim(linked.claim_id) from strategy_claims linked where element_id = $2)
  on conflict do nothing
  returning claim_id as id`

const LINK_SOLUTIONS = `
  insert into strategy_solutions (workspace_id, element_id, solution_id)
  select $1, $2, solution_id from unnest($3::uuid[]) as solution_id
  on conflict do nothing
  returning solution_id as id`

/** Also removes links to claims that were merged into the named one. */
const UNLINK_CLAIMS = `
  with unlinked as (
    delete from strategy_claims where element_id = $1 and surviving_claim(claim_id) = any ($2::uuid[])
    returning claim_id
  )
  select distinct surviving_claim(claim_id) as id from unlinked`

const UNLINK_SOLUTIONS = `
  delete from strategy_solutions where element_id = $1 and solution_id = any ($2::uuid[])
  returning solution_id as id`

const ids = async <Id>(transaction: Transaction, statement: string, values: readonly unknown[]): Promise<Id[]> =>
  (await transaction.query<{ id: Id }>(statement, values)).map(row => row.id)

/** Links a locked element with surviving claims and Solutions. Answers those that were not linked. */
export const link = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  id: StrategyElementId,
  { claimIds, solutionIds }: Links,
): Promise<Links> => ({
  claimIds: await ids<ClaimId>(transaction, LINK_CLAIMS, [workspaceId, id, claimIds]),
  solutionIds: await ids<SolutionId>(transaction, LINK_SOLUTIONS, [workspaceId, id, solutionIds]),
})

/** Removes links of a locked element. Answers those that existed. */
export const unlink = async (
  transaction: Transaction,
  id: StrategyElementId,
  { claimIds, solutionIds }: Links,
): Promise<Links> => ({
  claimIds: await ids<ClaimId>(transaction, UNLINK_CLAIMS, [id, claimIds]),
  solutionIds: await ids<SolutionId>(transaction, UNLINK_SOLUTIONS, [id, solutionIds]),
})

const LINKED = `
  select array(select claim_id from strategy_claims where element_id = $1) as "claimIds",
    array(select solution_id from strategy_solutions where element_id = $1) as "solutionIds"`

/** Every link of an element, with the claims as they were linked. */
export const everyLink = async (transaction: Transaction, id: StrategyElementId): Promise<Links> =>
  (await transaction.query<Links>(LINKED, [id]))[0] ?? { claimIds: [], solutionIds: [] }

/** A linked claim or Solution in a list. */
export interface LinkedRow<State> {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly state: State
}

/** Links of an element: their number, and the first ones by number. */
export interface ElementLinks {
  readonly element_id: StrategyElementId
  readonly claim_count: number
  readonly solution_count: number
  readonly claims: readonly LinkedRow<ClaimState>[]
  readonly solutions: readonly LinkedRow<SolutionState>[]
}

const firstOf = (linked: string): string =>
  `coalesce((select jsonb_agg(jsonb_build_object('id', id, 'number', number, 'title', title, 'state', state) order by number)
    from (${linked} order by number limit $2) as first), '[]')`

const claimsOf = `
  select distinct claims.id, claims.number, claims.title, claims.state
  from strategy_claims linked cross join lateral surviving_claim(linked.claim_id) as survivor
    join claims on claims.id = survivor
  where linked.element_id = element.id`

const solutionsOf = `
  select solutions.id, solutions.number, solutions.title, solutions.state
  from strategy_solutions linked join solutions on solutions.id = linked.solution_id
  where linked.element_id = element.id`

const LINKS = `
  select element.id as element_id,
    (select count(*)::integer from (${claimsOf}) as linked) as claim_count,
    (select count(*)::integer from (${solutionsOf}) as linked) as solution_count,
    ${firstOf(claimsOf)} as claims,
    ${firstOf(solutionsOf)} as solutions
  from unnest($1::uuid[]) as element (id)`

/** Links of each element, with at most `limit` claims and `limit` Solutions. */
export const linksOf = async (
  transaction: Transaction,
  elementIds: readonly StrategyElementId[],
  limit: number,
): Promise<ReadonlyMap<StrategyElementId, ElementLinks>> => {
  const rows = await transaction.query<ElementLinks>(LINKS, [elementIds, limit])
  return new Map(rows.map(row => [row.element_id, row]))
}

const STRATEGY_OF_CLAIM = `
  select distinct element.id, layer, position, title
  from claim_lineage($1) as member
  join strategy_claims linked on linked.claim_id = member
  join strategy_elements element on element.id = element_id
  order by layer, position`

/** Strategy elements that are linked with a claim or a claim merged into it. */
export const strategyOfClaim = async (
  transaction: Transaction,
  claimId: string,
): Promise<{ id: string; layer: StrategyLayer; title: string }[]> =>
  (await transaction.query<{ id: string; layer: StrategyLayer; title: string }>(STRATEGY_OF_CLAIM, [claimId])).map(
    ({ id, layer, title }) => ({ id, layer, title }),
  )
