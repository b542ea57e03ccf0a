import type { ClaimId, ProposalId } from '../../schemas/domain/ids.ts'

/** A pair of claims, as they live on, that waits for people. */
export interface WaitingPair {
  readonly id: ProposalId
  readonly one: ClaimId
  readonly other: ClaimId
}

/**
 * A pair of a group, which brings `claim` to the claims before it: it may be the same as `beside`, which is one of
 * those.
 */
export interface GroupedPair<Pair extends WaitingPair = WaitingPair> {
  readonly pair: Pair
  readonly claim: ClaimId
  readonly beside: ClaimId
}

/** Claims that may all be one, to be decided on together. */
export interface PairGroup<Pair extends WaitingPair = WaitingPair> {
  /** The oldest claim, which lives on unless somebody chooses another one. */
  readonly survivor: ClaimId
  /** One for each other claim, the likeliest that brings one first. */
  readonly pairs: readonly GroupedPair<Pair>[]
  /** Pairs of claims that are in the group anyway. */
  readonly morePairs: readonly Pair[]
}

/** So many claims are looked at together at most, unless one claim is what all of them may be the same as. */
export const MOST_TOGETHER = 8

/**
 * Puts pairs together that have a claim in common, so that what may be one thing is one decision. `pairs` come the
 * likeliest first, each once. A pair that would make a group too large is in a group of its own, around the older of
 * its claims. Groups come in the order of their likeliest pair.
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

/**
 * Gathers pairs by the claims that they connect, the likeliest first, and says which would have made too many of one.
 */
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
    if (one !== other && one.claims.size + other.claims.size > MOST_TOGETHER) {
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

/**
 * Goes from the survivor to each other claim by the likeliest pair that leads to it (Prim). `pairs` are connected, the
 * likeliest first.
 */
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
