import type { ClaimId, ProposalId } from '../../schemas/domain/ids.ts'

/** A proposal between two claims as they live on. */
export interface Pair {
  readonly proposalId: ProposalId
  readonly claims: readonly [ClaimId, ClaimId]
}

export interface PlannedMerge {
  readonly proposalId: ProposalId
  readonly merged: ClaimId
  readonly survivor: ClaimId
}

/**
 * What confirming the pairs together comes to. Claims that the pairs connect become one: `wanted`, where it is among
 * them, or else the oldest (the lowest number). Each other claim is merged straight into that one, on the proposal that
 * connects it.
 */
export const planMerges = (
  pairs: readonly Pair[],
  numberOf: (claim: ClaimId) => number,
  wanted: ClaimId | null,
): readonly PlannedMerge[] => {
  const byAge = [...new Set(pairs.flatMap(({ claims }) => claims))].toSorted((a, b) => numberOf(a) - numberOf(b))
  const survivors = wanted === null ? byAge : [wanted, ...byAge]
  const placed = new Set<ClaimId>()
  const merges: PlannedMerge[] = []
  for (const survivor of survivors) {
    if (placed.has(survivor)) continue
    placed.add(survivor)
    const reached = [survivor]
    for (const claim of reached) {
      for (const { proposalId, claims } of pairs) {
        const merged = otherOf(claims, claim)
        if (merged === null || placed.has(merged)) continue
        placed.add(merged)
        reached.push(merged)
        merges.push({ proposalId, merged, survivor })
      }
    }
  }
  return merges
}

const otherOf = ([one, other]: Pair['claims'], claim: ClaimId): ClaimId | null => {
  if (one === claim) return other
  return other === claim ? one : null
}
