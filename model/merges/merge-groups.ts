import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import { MAX_PROPOSALS } from '../../schemas/domain/limits.ts'
import { type GroupedPair, groupPairs, type PairGroup, type WaitingPair } from './group-pairs.ts'
import { BEST_FIRST, CORRECTED_CHANCE, ofClaim, type ProposedSideRow, proposedSide } from './list-proposals.ts'
import { isUndoneMerge } from './proposal.ts'

const MAX_RIVALS = 5

// The surviving claim is looked up once for each claim, not for each proposal.
const WAITING = `
  with waiting as materialized (
    select id, claim_id, candidate_claim_id, found_by, chance, score from merge_proposals
    where state = 'waiting' and not implied and ${ofClaim('merge_proposals.id', '$1')}
  ), living as materialized (
    select named.id, claims.id as survivor_id, claims.number
    from (select claim_id as id from waiting union select candidate_claim_id from waiting) as named
    cross join lateral surviving_claim(named.id) as survivor_id
    join claims on claims.id = survivor_id
  )
  select proposal.id, one.survivor_id as one, one.number as one_number, other.survivor_id as other, other.number as other_number
  from waiting proposal
  join living one on one.id = proposal.claim_id
  join living other on other.id = proposal.candidate_claim_id
  where one.survivor_id <> other.survivor_id
  order by ${BEST_FIRST}`

interface NumberedPair extends WaitingPair {
  readonly one_number: number
  readonly other_number: number
}

/** Claims that may all be one, with the facts that people need. */
interface MergeGroupRow {
  readonly survivor: ProposedSideRow
  /** Waiting pairs between its claims. */
  readonly count: number
  /** A pair for each other claim, likeliest first. */
  readonly pairs: readonly PairRow[]
  /** The other pairs by the numbers of their claims. */
  readonly more_pairs: readonly { readonly id: string; readonly claim: number; readonly same_as: number }[]
}

interface MergeGroupPage {
  /** Totals of all pages. */
  readonly groups: number
  readonly pairs: number
  readonly rows: readonly MergeGroupRow[]
}

/** All waiting pairs, optionally of one claim, in groups; the likeliest pair first. */
const readGroups = async (transaction: Transaction, claimId: string | null) => {
  const pairs = await transaction.query<NumberedPair>(WAITING, [claimId])
  const numbers = new Map<ClaimId, number>()
  for (const { one, one_number, other, other_number } of pairs) numbers.set(one, one_number).set(other, other_number)
  const numberOf = (claim: ClaimId) => numbers.get(claim) ?? 0
  return { pairs, numberOf, groups: groupPairs(pairs, numberOf) }
}

/** A page of groups, the likeliest pair first. */
export const mergeGroups = async (
  transaction: Transaction,
  page: { readonly limit: number; readonly offset: number },
  claimId: string | null,
): Promise<MergeGroupPage> => {
  const { pairs, numberOf, groups } = await readGroups(transaction, claimId)
  const shown = groups.slice(page.offset, page.offset + page.limit).map(decidable)
  const sides = await readSides(transaction, shown)
  const facts = await readPairs(transaction, shown)
  const rows = shown.flatMap((group): MergeGroupRow[] => {
    const survivor = sides.get(group.survivor)
    if (survivor === undefined) return []
    const pairRows = group.pairs.flatMap(({ pair, claim, beside }): PairRow[] => {
      const [side, fact] = [sides.get(claim), facts.get(pair.id)]
      return side === undefined || fact === undefined ? [] : [{ ...fact, claim: side, same_as: numberOf(beside) }]
    })
    const more = group.morePairs.map(({ id, one, other }) => ({ id, claim: numberOf(one), same_as: numberOf(other) }))
    return [{ survivor, count: group.count, pairs: pairRows, more_pairs: more }]
  })
  return { groups: groups.length, pairs: pairs.length, rows }
}

interface DecidableGroup extends PairGroup<NumberedPair> {
  /** Number of its pairs. */
  readonly count: number
}

/** The part of a group that one decision can take. */
const decidable = ({ survivor, pairs, morePairs }: PairGroup<NumberedPair>): DecidableGroup => ({
  survivor,
  pairs: pairs.slice(0, MAX_PROPOSALS),
  morePairs: morePairs.slice(0, Math.max(0, MAX_PROPOSALS - pairs.length)),
  count: pairs.length + morePairs.length,
})

const SIDES = `select requested.id, ${proposedSide('requested.id')} as side from unnest($1::uuid[]) as requested (id)`

const readSides = async (
  transaction: Transaction,
  groups: readonly DecidableGroup[],
): Promise<ReadonlyMap<ClaimId, ProposedSideRow>> => {
  const ids = new Set(groups.flatMap(({ survivor, pairs }) => [survivor, ...pairs.map(({ claim }) => claim)]))
  if (ids.size === 0) return new Map()
  const rows = await transaction.query<{ id: ClaimId; side: ProposedSideRow }>(SIDES, [[...ids]])
  return new Map(rows.map(({ id, side }) => [id, side]))
}

const PAIRS = `
  with grouped as materialized (
    select id, place from unnest($4::uuid[], $5::int[]) as together (id, place)
  )
  select proposal.id, score, similarity, ${CORRECTED_CHANCE} as chance, reason, found_by, proposed_at,
    array(
      select jsonb_build_object('number', other.number, 'state', rival.state, 'by', rival.decided_by,
        'reason', coalesce(rival.decided_reason, rival.reason), 'similarity', rival.similarity, 'in_all', count(*) over ())
      from proposals_of_lineage(requested.claim_id) as beside
      join merge_proposals rival on rival.id = beside.proposal_id
      join claims other on other.id = surviving_claim(beside.other_claim_id)
      where rival.id <> proposal.id and not rival.implied and not ${isUndoneMerge('rival')}
        and not exists (select from grouped where grouped.id = rival.id and grouped.place = requested.place)
      order by coalesce(rival.chance, 0) desc, rival.score desc limit ${MAX_RIVALS}) as others
  from unnest($1::uuid[], $2::uuid[], $3::int[]) as requested (id, claim_id, place)
  join merge_proposals proposal on proposal.id = requested.id`

interface PairFacts {
  readonly id: string
  readonly score: number
  readonly similarity: number | null
  readonly chance: number | null
  readonly reason: string
  readonly found_by: string | null
  readonly proposed_at: Date
  /** Other proposals of the claim, best first. */
  readonly others: readonly {
    readonly number: number
    readonly state: string
    readonly by: string | null
    readonly reason: string
    readonly similarity: number | null
    /** Number of all of them. */
    readonly in_all: number
  }[]
}

/** A waiting proposal of a group. */
export interface PairRow extends PairFacts {
  readonly claim: ProposedSideRow
  /** Number of the earlier claim in the group that it may be the same as. */
  readonly same_as: number
}

const readPairs = async (
  transaction: Transaction,
  groups: readonly DecidableGroup[],
): Promise<ReadonlyMap<string, PairFacts>> => {
  const grouped = groups.flatMap(({ pairs }, place) =>
    pairs.map(({ pair, claim }: GroupedPair<NumberedPair>) => ({ id: pair.id, claim, place })),
  )
  if (grouped.length === 0) return new Map()
  const together = groups.flatMap(({ pairs, morePairs }, place) =>
    [...pairs.map(({ pair }) => pair), ...morePairs].map(({ id }) => ({ id, place })),
  )
  const rows = await transaction.query<PairFacts>(PAIRS, [
    grouped.map(({ id }) => id),
    grouped.map(({ claim }) => claim),
    grouped.map(({ place }) => place),
    together.map(({ id }) => id),
    together.map(({ place }) => place),
  ])
  return new Map(rows.map(row => [row.id, row]))
}
