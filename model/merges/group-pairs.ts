import type { ClaimId, ProposalId } from '../../schemas/domain/ids.ts'

/** A waiting pair of surviving claims. */
export interface WaitingPair {
  readonly id: ProposalId
  readonly one: ClaimId
  readonly other: ClaimId
}

/** A pair that brings `claim` into a group: `claim` may be the same as `beside`, which is in the group already. */
export interface GroupedPair<Pair extends WaitingPair = WaitingPair> {
  readonly pair: Pair
  readonly claim: ClaimId
  readonly beside: ClaimId
}

/** Claims that may all be one, for one decision. */
export interface PairGroup<Pair extends WaitingPair = WaitingPair> {
  /** The oldest claim. It survives unless somebody chooses another. */
  readonly survivor: ClaimId
  /** A pair for each other claim, likeliest first. */
  readonly pairs: readonly GroupedPair<Pair>[]
  /** Further pairs of claims in the group. */
  readonly morePairs: readonly Pair[]
}

/** Most claims in a group, unless all of them may be the same as one claim. */
export const MAX_GROUP = 8

/**
 * Groups pairs with a common claim, so that people decide once. `pairs` are unique, likeliest first. A pair that would
 * make a group too large goes into a group around the older of its claims. Groups are in the order of their likeliest
 * pair.
 */
export const groupPairs = <Pair extends WaitingPair>(
  pairs: readonly Pair[],
  numberOf: (claim: ClaimId) => number,
): readonly PairGroup<Pair>[] => {
  const { gathered, tooMany } = gather(pairs)
  const groups = gathered.map(some => arrange(some, oldestOf(some, numberOf)))
  const around = Map.groupBy(tooMany, pair => oldestOf([pair], numberOf))
  const inGroups = groups.map(group => {
    const more = around.get(group.survivor)
    if (more === undefined) return group
    around.delete(group.survivor)
    return arrange([...group.pairs.map(({ pair }) => pair), ...group.morePairs, ...more], group.survivor)
  })
  const places = new Map(pairs.map(({ id }, place) => [id, place]))
  const placeOf = ({ pairs: some, morePairs }: PairGroup<Pair>) =>
    [...some.map(({ pair }) => pair), ...morePairs].reduce(
      (first, { id }) => Math.min(first, places.get(id) ?? pairs.length),
      pairs.length,
    )
  const apart = [...around].map(([survivor, some]) => arrange(some, survivor))
  return [...inGroups, ...apart].toSorted((one, other) => placeOf(one) - placeOf(other))
}

const claimsOf = (pairs: readonly WaitingPair[]): readonly ClaimId[] => [
  ...new Set(pairs.flatMap(({ one, other }) => [one, other])),
]

const oldestOf = (pairs: readonly WaitingPair[], numberOf: (claim: ClaimId) => number): ClaimId =>
  claimsOf(pairs).reduce((oldest, claim) => (numberOf(claim) < numberOf(oldest) ? claim : oldest))

/** Joins pairs by common claims, likeliest first. `tooMany` are pairs that would have made a group too large. */
const gather = <Pair extends WaitingPair>(pairs: readonly Pair[]) => {
  interface Gathered {
    readonly claims: Set<ClaimId>
    readonly pairs: Pair[]
  }
  const of = new Map<ClaimId, Gathered>()
  const tooMany: Pair[] = []
  for (const pair of pairs) {
    const [one, other] = [pair.one, pair.other].map(
      claim => of.get(claim) ?? { claims: new Set([claim]), pairs: [] },
    ) as [Gathered, Gathered]
    if (one !== other && one.claims.size + other.claims.size > MAX_GROUP) {
      tooMany.push(pair)
      continue
    }
    if (one !== other) {
      for (const claim of other.claims) one.claims.add(claim)
      for (const each of other.pairs) one.pairs.push(each)
    }
    one.pairs.push(pair)
    for (const claim of one.claims) of.set(claim, one)
  }
  const places = new Map(pairs.map(({ id }, place) => [id, place]))
  const inOrder = (some: readonly Pair[]) =>
    some.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  return { gathered: [...new Set(of.values())].map(({ pairs: some }) => inOrder(some)), tooMany }
}

/** Reaches each claim from the survivor by the likeliest pair (Prim). `pairs` are connected, likeliest first. */
const arrange = <Pair extends WaitingPair>(pairs: readonly Pair[], survivor: ClaimId): PairGroup<Pair> => {
  const reached = new Set<ClaimId>([survivor])
  const used = new Set<Pair>()
  const grouped: GroupedPair<Pair>[] = []
  for (;;) {
    const pair = pairs.find(({ one, other }) => reached.has(one) !== reached.has(other))
    if (pair === undefined) break
    const [claim, beside] = reached.has(pair.one) ? [pair.other, pair.one] : [pair.one, pair.other]
    reached.add(claim)
    used.add(pair)
    grouped.push({ pair, claim, beside })
  }
  return { survivor, pairs: grouped, morePairs: pairs.filter(pair => !used.has(pair)) }
}
