import type { FoundNumber } from '../numbers.ts'
import type { Asked } from '../rules.ts'
import { priorityOf, type Said, standingBehind, type TrueClaim, type TrueSolution, type Truth } from '../truth.ts'

/** The object that a number is said of: the nearest that has a reference. */
export const nameOf = ({ owners }: FoundNumber): string =>
  String(owners.find(owner => typeof owner.reference === 'string')?.reference ?? '')

export const solutionOf = (truth: Truth, number: FoundNumber): TrueSolution | undefined =>
  truth.solutions.get(nameOf(number))

/** The claims that stand behind a claim or a Solution; null for what is neither. */
export const claimsBehind = (truth: Truth, number: FoundNumber): readonly TrueClaim[] | null => {
  const claim = truth.claims.get(nameOf(number))
  if (claim !== undefined) return [claim]
  const solution = solutionOf(truth, number)
  if (solution === undefined) return null
  // A merged claim is the one that it was merged into.
  return [...new Set([...solution.claims].map(one => one.mergedInto ?? one))]
}

export const ofEvidence =
  (measure: (said: readonly Said[], asked: Asked) => number) =>
  (truth: Truth, asked: Asked, number: FoundNumber): number | null => {
    const claims = claimsBehind(truth, number)
    return claims === null ? null : measure(standingBehind(truth, claims), asked)
  }

export const priority = ofEvidence((said, { at }) => priorityOf(said, at))
